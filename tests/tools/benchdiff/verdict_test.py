"""Made-up rounds to each verdict and each exit code."""

import unittest

import made_rounds
from made_rounds import calibration, recording

from paired.compare import Rules, compare
from paired.errors import ToolError
from paired.pin import Pin, acknowledge
from paired.verdict import FINE, INCONCLUSIVE, REGRESSION, Status


def status_of(comparison, scenario):
    return {row.scenario: row.status for row in comparison.rows}[scenario]


class Clock(unittest.TestCase):
    def judged(self, made, floor=0.01):
        return compare(made, calibration(made.scenarios("head"), floor))

    def test_what_stands_still_is_steady_and_fine(self):
        comparison = self.judged(recording({"x": 1.0, "y": 1.0}))
        self.assertEqual(status_of(comparison, "x"), Status.STEADY)
        self.assertEqual(comparison.exit_code(), FINE)

    def test_slower_is_a_regression_and_the_rest_stays_steady(self):
        comparison = self.judged(recording({"x": 1.1, "y": 1.0}))
        self.assertEqual((status_of(comparison, "x"), status_of(comparison, "y")), (Status.SLOWER, Status.STEADY))
        self.assertEqual(comparison.exit_code(), REGRESSION)

    def test_faster_is_fine(self):
        comparison = self.judged(recording({"x": 0.9, "y": 1.0}))
        self.assertEqual(status_of(comparison, "x"), Status.FASTER)
        self.assertEqual(comparison.exit_code(), FINE)

    def test_a_change_within_the_floor_is_steady(self):
        self.assertEqual(status_of(self.judged(recording({"x": 1.04}), floor=0.05), "x"), Status.STEADY)
        self.assertEqual(status_of(self.judged(recording({"x": 1.04}), floor=0.01), "x"), Status.SLOWER)

    def test_a_run_too_noisy_to_see_ten_percent_is_insensitive_and_not_fine(self):
        noise = [1.3, 0.8, 1.25, 0.75, 1.4, 0.7, 1.2, 0.85, 1.35, 0.72, 1.1, 0.95]
        comparison = self.judged(recording({"x": 1.0}, scatter=noise))
        self.assertEqual(status_of(comparison, "x"), Status.INSENSITIVE)
        self.assertEqual(comparison.exit_code(), INCONCLUSIVE)

    def test_too_few_rounds_for_the_rows_are_inconclusive(self):
        names = {f"s{i}": 1.5 for i in range(59)}
        comparison = self.judged(recording(names, scatter=made_rounds.SCATTER[:10]))
        self.assertEqual(status_of(comparison, "s0"), Status.INCONCLUSIVE)
        self.assertIn("59 rows need 11 or more", comparison.rows[0].note)
        self.assertEqual(status_of(self.judged(recording(names, scatter=made_rounds.SCATTER[:11])), "s0"), Status.SLOWER)

    def test_without_a_calibration_all_is_inconclusive(self):
        comparison = compare(recording({"x": 2.0}), None)
        self.assertEqual(status_of(comparison, "x"), Status.INCONCLUSIVE)
        self.assertEqual(comparison.exit_code(), INCONCLUSIVE)

    def test_a_stale_calibration_says_why_and_is_inconclusive(self):
        made = recording({"x": 2.0})
        other_host = calibration(["x"])
        other_host.machine = "a different one"
        other_build = calibration(["x"])
        other_build.build = "debug"
        few = calibration(["x"])
        few.links = 2
        for stale, said in ((calibration(["x"], created="2025-11-01T00:00:00+00:00"), "days old"),
                            (other_host, "another machine"), (other_build, "another build"), (few, "2 links")):
            comparison = compare(made, stale)
            self.assertEqual(comparison.exit_code(), INCONCLUSIVE)
            self.assertIn(said, comparison.warnings[0])

    def test_a_scenario_that_was_not_calibrated_is_inconclusive_alone(self):
        comparison = compare(recording({"x": 1.0, "new": 1.0}), calibration(["x"]))
        self.assertEqual((status_of(comparison, "x"), status_of(comparison, "new")), (Status.STEADY, Status.INCONCLUSIVE))

    def test_an_arm_that_is_not_there_is_an_error(self):
        with self.assertRaisesRegex(ToolError, "no arm 'next'"):
            compare(recording({"x": 1.0}), None, head="next")


class Controls(unittest.TestCase):
    def made(self, control):
        made = recording({"linear/avx2": 1.2, "linear/onednn": control})
        made.settings["controls"] = [{"scenarios": r"^\w+/(\w+)", "files": [r"plugins/\1.so"]}]
        made.arms["base"].build_ids = {"plugins/avx2.so": "01", "plugins/onednn.so": "05"}
        made.arms["head"].build_ids = {"plugins/avx2.so": "02", "plugins/onednn.so": "05"}
        return compare(made, calibration(["linear/avx2", "linear/onednn"]))

    def test_a_plugin_with_the_same_build_id_is_a_control(self):
        comparison = self.made(1.0)
        self.assertEqual(status_of(comparison, "linear/onednn"), Status.CONTROL)
        self.assertEqual(comparison.exit_code(), REGRESSION)

    def test_a_moved_control_voids_the_comparison(self):
        comparison = self.made(1.2)
        self.assertEqual(status_of(comparison, "linear/onednn"), Status.CONTROL_MOVED)
        self.assertEqual(comparison.exit_code(), INCONCLUSIVE)
        self.assertIn("VOID", comparison.headline())

    def test_a_file_without_build_id_makes_no_control(self):
        made = recording({"x": 1.0})
        made.settings["controls"] = [{"scenarios": "x", "files": ["x.so"]}]
        self.assertEqual(status_of(compare(made, calibration(["x"])), "x"), Status.STEADY)

    def test_a_frozen_scenario_is_a_control_whatever_was_built(self):
        made = recording({"clock": 1.2, "x": 1.0})
        made.settings["controls"] = [{"scenarios": "^clock$", "frozen": True}]
        self.assertNotEqual(compare(made, calibration(["clock", "x"])).void, "")

    def test_arms_that_are_the_same_files_have_only_controls(self):
        made = recording({"x": 1.0})
        made.arms["base"].build_ids = made.arms["head"].build_ids = {"bench": "07"}
        comparison = compare(made, calibration(["x"]))
        self.assertEqual((status_of(comparison, "x"), comparison.exit_code()), (Status.CONTROL, FINE))


class Counters(unittest.TestCase):
    def judged(self, before, after, ratio=1.0, instructions=(None, None)):
        made = recording({"x": ratio})
        made.arms["base"].counters, made.arms["head"].counters = {"x": before}, {"x": after}
        for arm, count in zip(("base", "head"), instructions):
            if count:
                made.arms[arm].instructions = {"x": count}
        comparison = compare(made, calibration(["x"]))
        return status_of(comparison, "x"), comparison

    def test_other_tokens_are_a_regression_at_any_speed(self):
        status, comparison = self.judged({"digest:tokens": 7.0}, {"digest:tokens": 8.0}, ratio=0.5)
        self.assertEqual((status, comparison.exit_code()), (Status.RESULT, REGRESSION))

    def test_an_op_on_another_backend_is_a_regression(self):
        self.assertEqual(self.judged({"route:avx2": 9.0}, {"route:avx2": 8.0, "route:reference": 1.0})[0], Status.ROUTE)

    def test_more_allocations_or_bytes_are_a_regression_and_fewer_are_not(self):
        self.assertEqual(self.judged({"allocations": 0.0}, {"allocations": 1.0})[0], Status.MORE_WORK)
        self.assertEqual(self.judged({"bytes": 4.0}, {"bytes": 5.0})[0], Status.MORE_WORK)
        self.assertEqual(self.judged({"bytes": 5.0}, {"bytes": 4.0})[0], Status.STEADY)
        self.assertEqual(self.judged({"bytes/s": 5.0}, {"bytes/s": 6.0})[0], Status.STEADY)

    def test_a_counter_that_varies_within_an_arm_is_no_evidence(self):
        self.assertEqual(self.judged({"digest:tokens": None}, {"digest:tokens": 8.0})[0], Status.STEADY)

    def test_four_percent_more_instructions_are_more_work_unless_it_is_faster(self):
        self.assertEqual(self.judged({}, {}, instructions=(1000, 1040))[0], Status.MORE_WORK)
        self.assertEqual(self.judged({}, {}, instructions=(1000, 1020))[0], Status.STEADY)
        self.assertEqual(self.judged({}, {}, ratio=0.9, instructions=(1000, 1040))[0], Status.FASTER)


class Names(unittest.TestCase):
    def made(self, renamed=None):
        made = recording({"kept": 1.0, "matmul/f32/1x256": 1.1, "zzz": 1.0, "matmul/f32/1x257": 1.1, "brand_new": 1.0})
        for each in made.rounds:
            for name in ("matmul/f32/1x256", "zzz"):
                each.times["head"].pop(name)
            for name in ("matmul/f32/1x257", "brand_new"):
                each.times["base"].pop(name)
        return compare(made, calibration(["kept", "matmul/f32/1x257"]), Rules(renamed=renamed or {}))

    def test_added_removed_and_perhaps_renamed_are_listed_and_warned_of(self):
        comparison = self.made()
        self.assertEqual([status_of(comparison, n) for n in ("brand_new", "zzz", "matmul/f32/1x256")],
                         [Status.ADDED, Status.REMOVED, Status.RENAMED])
        self.assertEqual(len(comparison.warnings), 2)
        self.assertEqual(comparison.exit_code(), FINE)

    def test_a_stated_renaming_is_compared(self):
        comparison = self.made({"matmul/f32/1x256": "matmul/f32/1x257"})
        self.assertEqual(status_of(comparison, "matmul/f32/1x256 → matmul/f32/1x257"), Status.SLOWER)

    def test_a_scenario_that_fails_only_in_head_is_a_regression(self):
        made = recording({"x": 1.0})
        made.arms["head"].errors = {"broken": "differs from the reference"}
        self.assertEqual(compare(made, calibration(["x"])).exit_code(), REGRESSION)
        made.arms["base"].errors = {"broken": "no model"}
        self.assertEqual(compare(made, calibration(["x"])).exit_code(), FINE)


class Drift(unittest.TestCase):
    def judged(self, pin_ratio, pin):
        made = recording({"x": 1.0}, pin={"x": pin_ratio})
        return made, compare(made, calibration(["x"]), pin=pin)

    def test_beyond_the_budget_since_the_pin_is_a_regression_though_the_last_step_is_steady(self):
        _, comparison = self.judged(0.94, Pin("a" * 40))
        self.assertEqual((status_of(comparison, "x"), comparison.exit_code()), (Status.STEADY, REGRESSION))

    def test_within_the_budget_is_fine(self):
        self.assertEqual(self.judged(0.985, Pin("a" * 40))[1].exit_code(), FINE)

    def test_after_an_acknowledgement_the_budget_counts_from_there(self):
        pin = Pin("a" * 40)
        made, comparison = self.judged(0.94, pin)
        self.assertEqual(acknowledge(pin, made, comparison.drifts, [], "a needed check"), ["x"])
        self.assertEqual(self.judged(0.94, pin)[1].exit_code(), FINE)
        self.assertEqual(self.judged(0.88, pin)[1].exit_code(), REGRESSION)

    def test_an_unknown_scenario_cannot_be_acknowledged(self):
        pin = Pin("a" * 40)
        made, comparison = self.judged(0.94, pin)
        with self.assertRaisesRegex(ToolError, "y"):
            acknowledge(pin, made, comparison.drifts, ["y"], "because")


if __name__ == "__main__":
    unittest.main()
