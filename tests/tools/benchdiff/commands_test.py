"""The executable itself: exit codes, reports, messages."""

import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from made_rounds import ROOT, calibration, recording

from paired import calibration as calibrations
from paired import pin, plots, rounds
from paired.calibration import calibrate
from paired.compare import compare

PROGRAM = ROOT / "tools/benchdiff/benchdiff"


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        calibrations.save(calibration(["x", "y"]), self.folder / "c.json")

    def run_it(self, *arguments):
        return subprocess.run([sys.executable, PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)

    def replay(self, made, *more):
        rounds.save(made, self.folder / "r.json")
        return self.run_it("compare", "r.json", "--calibration", "c.json", *more)

    def test_exit_codes_are_0_fine_1_regression_2_inconclusive_3_tool_error(self):
        self.assertEqual(self.replay(recording({"x": 1.0, "y": 1.0})).returncode, 0)
        self.assertEqual(self.replay(recording({"x": 1.1, "y": 1.0})).returncode, 1)
        self.assertEqual(self.replay(recording({"x": 1.0, "uncalibrated": 1.0})).returncode, 2)
        for arguments in ((), ("compare",), ("compare", "none.json"), ("fly",), ("run",), ("run", "--base", "HEAD"),
                          ("compare", "r.json", "--renamed", "x"), ("compare", "r.json", "--head", "z"),
                          ("run", "--plugin-a", "a.so"), ("acknowledge", "r.json", "--reason", "none pinned")):
            done = self.run_it(*arguments)
            self.assertEqual((done.returncode, done.stdout), (3, ""), arguments)
            self.assertEqual(done.stderr.count("benchdiff: "), 1, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_the_first_table_has_the_old_form_sorted_by_change(self):
        lines = self.replay(recording({"x": 1.0, "y": 1.1})).stdout.splitlines()
        at = lines.index("| Status | Scenario | Base | PR | Change |")
        self.assertEqual([line.split(" | ")[1] for line in lines[at + 2:at + 4]], ["y", "x"])
        self.assertIn("| 🔴 slower | y | 1 µs | 1.1 µs | +10.", lines[at + 2])
        self.assertTrue(any(line.startswith("**What this cannot catch:**") for line in lines))
        self.assertTrue(any("cpu made up" in line for line in lines))

    def test_reports_are_written_and_a_replay_of_their_rounds_says_the_same(self):
        first = self.replay(recording({"x": 1.1, "y": 1.0}), "--out", "o")
        again = self.run_it("compare", "o/rounds.json.gz", "--calibration", "c.json")
        self.assertEqual((first.stdout, first.returncode), (again.stdout, again.returncode))
        report = json.loads((self.folder / "o/report.json").read_text())
        self.assertEqual([(row["scenario"], row["status"]) for row in report["rows"]], [("x", "slower"), ("y", "steady")])
        self.assertAlmostEqual(report["rows"][0]["ratio"], 1.1, delta=0.01)
        self.assertLess(report["rows"][0]["p_slower"], 0.05)
        page = (self.folder / "o/report.html").read_text()
        self.assertEqual(page.count("<svg"), 3)  # forest and the rounds of two scenarios
        self.assertNotIn("src=", page)

    def test_names_are_escaped_in_every_report(self):
        name = 'a<b>&"c"|d'
        calibrations.save(calibration([name]), self.folder / "c.json")
        done = self.replay(recording({name: 1.0}), "--out", "o")
        self.assertIn(r'a<b>&"c"\|d', done.stdout)
        self.assertNotIn("a<b>", (self.folder / "o/report.html").read_text())

    def test_plots_are_well_formed(self):
        made = recording({"x<&": 1.1, "y": 1.0}, pin={"x<&": 1.0, "y": 1.0})
        state = pin.Pin("a" * 40)
        comparison = compare(made, calibration(["x<&", "y"]), pin=state)
        pin.remember(state, made, comparison.drifts)
        pin.remember(state, made, comparison.drifts)
        for text in (plots.forest(comparison.rows), plots.rounds(made, comparison.rows[0]), plots.drift(state.history, comparison)):
            self.assertTrue(xml.fromstring(text).tag.endswith("svg"))

    def test_an_acknowledged_drift_passes_the_next_time(self):
        pin.save(pin.Pin("a" * 40), self.folder / "p.json")
        made = recording({"x": 1.0, "y": 1.0}, pin={"x": 0.94, "y": 1.0})
        self.assertEqual(self.replay(made, "--pin-file", "p.json").returncode, 1)
        done = self.run_it("acknowledge", "r.json", "--calibration", "c.json", "--pin-file", "p.json", "--reason", "checks input")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("x: +6.4% since aaaaaaaaaaaa is acknowledged", done.stdout)
        self.assertEqual(self.replay(made, "--pin-file", "p.json").returncode, 0)


class Calibrations(unittest.TestCase):
    def test_the_floor_is_the_spread_between_the_links_and_one_and_a_half_percent_at_least(self):
        made = recording({"x": 1.0, "y": 1.0}, scatter=[1.0] * 12)
        for index, each in enumerate(made.rounds):
            slow = 1.5 if index % 3 else 1.0  # a neighbour slows whole rounds, which is no matter of layout
            each.times = {link: {"x": [1000.0 * factor * slow], "y": [500.0 * slow]}
                          for link, factor in (("plain0", 1.0), ("plain1", 1.0), ("l1", 1.02), ("l2", 0.99))}
        made.arms = dict.fromkeys(("plain0", "plain1", "l1", "l2"), made.arms["base"])
        found = calibrate(made)
        self.assertAlmostEqual(found.floors["x"], 0.029853, places=5)  # log(1.02 / 0.99)
        self.assertAlmostEqual(found.floors["y"], 0.014889, places=5)  # log(1.015)
        self.assertEqual((found.links, found.rounds), (4, 12))

    def test_links_that_differ_by_noise_alone_have_the_least_floor(self):
        made = recording({"x": 1.0})
        links = ("plain0", "plain1", "l1", "l2")
        for index, each in enumerate(made.rounds):  # each link is the slow one in turn
            each.times = {link: {"x": [1000.0 * (1.1 if index % 4 == k else 1.0)]} for k, link in enumerate(links)}
        made.arms = dict.fromkeys(links, made.arms["base"])
        self.assertAlmostEqual(calibrate(made).floors["x"], 0.014889, places=5)


if __name__ == "__main__":
    unittest.main()
