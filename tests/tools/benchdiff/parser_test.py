"""Google Benchmark's JSON, and the files of our own."""

import json
import tempfile
import unittest
from pathlib import Path

import made_rounds

from paired import calibration, rounds, settings
from paired.elf import build_id, sections
from paired.errors import ToolError
from paired.google_json import metric_of, parse

# As version 1.7.1 prints it, shortened: two repetitions, their mean, and a benchmark that gave up.
PRINTED = json.dumps({"context": {"num_cpus": 2}, "benchmarks": [
    {"name": "linear/1", "run_name": "linear/1", "run_type": "iteration", "repetitions": 2, "repetition_index": 0, "threads": 1,
     "iterations": 10, "real_time": 1.5, "cpu_time": 1.25, "time_unit": "us", "bytes": 96.0, "tokens/s": 5.0, "label": "q4"},
    {"name": "linear/1", "run_name": "linear/1", "run_type": "iteration", "repetitions": 2, "repetition_index": 1, "threads": 1,
     "iterations": 10, "real_time": 2.5, "cpu_time": 2.25, "time_unit": "us", "bytes": 96.0, "tokens/s": 4.0, "label": "q4"},
    {"name": "linear/1_mean", "run_name": "linear/1", "run_type": "aggregate", "aggregate_name": "mean", "iterations": 2,
     "real_time": 2.0, "cpu_time": 1.75, "time_unit": "us"},
    {"name": "model", "run_name": "model", "run_type": "iteration", "error_occurred": True, "error_message": "no model",
     "iterations": 0, "real_time": 0, "cpu_time": 0, "time_unit": "ns"}]})


class GoogleJson(unittest.TestCase):
    def test_repetitions_are_kept_in_nanoseconds_and_aggregates_left_out(self):
        found = parse(PRINTED, "p")["linear/1"]
        self.assertEqual((found.real_ns, found.cpu_ns), ([1500.0, 2500.0], [1250.0, 2250.0]))

    def test_counters_are_what_google_benchmark_does_not_define(self):
        self.assertEqual(parse(PRINTED, "p")["linear/1"].counters, {"bytes": 96.0, "tokens/s": 4.0})

    def test_a_failed_scenario_has_its_message_and_no_times(self):
        found = parse(PRINTED, "p")["model"]
        self.assertEqual((found.error, found.real_ns), ("no model", []))

    def test_the_clock_is_the_one_that_the_name_tells(self):
        self.assertEqual([metric_of(n) for n in ("a/8", "a/8/manual_time", "a/real_time/threads:2", "a/manual_timer")],
                         ["cpu", "real", "real", "cpu"])

    def test_other_output_is_an_error_that_names_the_program(self):
        for text in ("Running main()", "[]", '{"context": {}}'):
            with self.assertRaisesRegex(ToolError, "bench_x printed no Google Benchmark JSON"):
                parse(text, "bench_x")


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_rounds_come_back_as_they_were_written(self):
        made = made_rounds.recording({"x": 1.5, "y": 1.0})
        for name in ("r.json", "r.json.gz"):
            rounds.save(made, self.folder / name)
            back = rounds.load(self.folder / name)
            self.assertEqual(back.arms, made.arms)
            self.assertEqual([e.times["base"] for e in back.rounds], [e.times["base"] for e in made.rounds])
            self.assertEqual(back.settings, made.settings)

    def test_thin_rounds_keep_the_median_of_each_process(self):
        made = made_rounds.recording({"x": 1.0}, scatter=[1.0, 1.0])
        for each in made.rounds:
            each.times["base"]["x"] = [3.0, 1.0, 2.0]
        rounds.save(made, self.folder / "r.json", raw_rounds=1)
        self.assertEqual([e.times["base"]["x"] for e in rounds.load(self.folder / "r.json").rounds], [[3, 1, 2], [2]])

    def test_equal_recordings_are_equal_files(self):
        for name in ("a.json.gz", "b.json.gz"):
            rounds.save(made_rounds.recording({"x": 1.0}), self.folder / name)
        self.assertEqual((self.folder / "a.json.gz").read_bytes(), (self.folder / "b.json.gz").read_bytes())

    def test_every_file_that_is_none_of_ours_gives_one_message_that_names_it(self):
        path = self.folder / "file.json"
        for text in ("", "{", "[1]", '"x"', "null", '{"format": "benchdiff-rounds/1"}', '{"format": "other"}',
                     '{"format": "benchdiff-rounds/1", "scenarios": ["a"], "arms": {"base": {"x": 1}}, "rounds": []}',
                     '{"format": "benchdiff-rounds/1", "scenarios": [], "arms": {}, "rounds": [{"order": [], "times": {"base": [1]}}]}'):
            path.write_text(text)
            with self.assertRaisesRegex(ToolError, "file.json"):
                rounds.load(path)
            if "rounds/1" not in text:
                with self.assertRaisesRegex(ToolError, "file.json"):
                    calibration.load(path)
        with self.assertRaisesRegex(ToolError, "none.json"):
            rounds.load(self.folder / "none.json")

    def test_settings_name_what_is_unknown_and_what_has_the_wrong_kind(self):
        path = self.folder / "s.json"
        for text, said in (('{"taget": []}', "unknown taget"), ('{"targets": "x"}', "list is expected"), ("[]", "object")):
            path.write_text(text)
            with self.assertRaisesRegex(ToolError, said):
                settings.load(path)
        path.write_text('{"targets": ["bench"], "min_seconds": 1}')
        self.assertEqual(settings.load(path).targets, ["bench"])

    def test_files_that_are_no_elf_have_no_sections_and_no_build_id(self):
        path = self.folder / "x.o"
        for raw in (b"", b"\x7fELF", b"\x7fELF\x02\x01" + b"\xff" * 80, b"#!/bin/sh\n"):
            path.write_bytes(raw)
            self.assertEqual((sections(path), build_id(path)), ([], ""))


if __name__ == "__main__":
    unittest.main()
