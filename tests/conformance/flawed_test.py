"""tenon conformance on backends that are wrong in one way each: verdict, message, the other cases, the exit code."""

import json
import os
import shlex
import subprocess
import sys
import unittest
from pathlib import Path

EXECUTABLE = Path(os.environ["TENON_EXECUTABLE"])
FLAWED = Path(os.environ["TENON_FLAWED"])


def run(*arguments):
    return subprocess.run([EXECUTABLE, "conformance", *arguments], capture_output=True, text=True, timeout=300, check=False)


class Conformance(unittest.TestCase):
    def rows(self, flaw, *options, code):
        """The report's rows of a flawed backend by (op, format, class)."""
        done = run(FLAWED / f"{flaw}.so", "--quick", "--json", *options)
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr)
        self.assertEqual(done.stderr, "")
        self.report = json.loads(done.stdout)
        return {(row["op"], row["format"], row["class"]): row for row in self.report["rows"]}

    def add_row(self, flaw, *options, code=1):
        return self.rows(flaw, "--op", "add", *options, code=code)["add", "f32", "f32"]

    def failed(self, row):
        return {failure["case"].split("/", 3)[3]: failure for failure in row["failures"]}

    def all_messages(self, flaw, verdict, *parts):
        """Every failure of the row has this verdict and one of the parts; the row has some."""
        row = self.add_row(flaw)
        self.assertEqual(row["verdict"], verdict)
        self.assertTrue(row["failures"])
        for failure in row["failures"]:
            self.assertTrue(any(part in failure["message"] for part in parts), failure)
        return row


class Good(Conformance):
    def test_a_backend_without_a_flaw_passes_with_its_refusals_and_their_reasons(self):
        rows = self.rows("none", code=0)
        self.assertEqual(rows["add", "f32", "f32"]["verdict"], "PASS")
        self.assertEqual(rows["gather", "f32", "f32"]["verdict"], "PASS")
        linear = rows["linear", "q4_0", "int8"]
        self.assertEqual((linear["verdict"], linear["reason"]), ("UNSUPPORTED", "only add, and gather of f32, are done here"))
        self.assertEqual({row["verdict"] for row in rows.values()}, {"PASS", "UNSUPPORTED"})
        self.assertEqual(self.report["plugin"]["id"], "flawed_none")


class Wrong(Conformance):
    def test_a_wrong_tail_is_a_mismatch_with_the_element(self):
        failed = self.failed(self.add_row("wrong_tail"))
        self.assertNotIn("5x576", failed)
        worst = failed["5x33"]["worst"]
        self.assertEqual((failed["5x33"]["verdict"], worst["output"], worst["column"]), ("MISMATCH", 0, 32))
        self.assertAlmostEqual(worst["got"] - worst["expected"], 0.5, places=5)
        self.assertEqual((failed["5x33"]["elements"], failed["5x33"]["elements_off"]), (165, 5))

    def test_the_command_that_is_told_finds_the_same_again(self):
        first = self.failed(self.add_row("wrong_tail", "--seed", "7"))["5x33"]
        words = shlex.split(first["reproduce"])
        self.assertEqual(words[:2], ["tenon", "conformance"])
        again = run(*words[2:], "--json")
        self.assertEqual(again.returncode, 1)
        row = [row for row in json.loads(again.stdout)["rows"] if row["failures"]]
        self.assertEqual(row[0]["failures"], [first])

    def test_another_seed_gives_other_data(self):
        worst = [self.failed(self.add_row("wrong_tail", "--seed", seed))["1x33"]["worst"]["got"] for seed in ("1", "2")]
        self.assertNotEqual(*worst)

    def test_bits_that_vary_by_threads_are_a_mismatch(self):
        self.all_messages("varies_by_threads", "MISMATCH", "on 3 threads against one thread")
        row = self.add_row("varies_by_threads", "--threads", "5")
        self.assertIn("on 5 threads", row["failures"][0]["message"])

    def test_bits_that_vary_by_the_rows_beside_them_are_a_mismatch(self):
        row = self.add_row("varies_by_rows")
        self.assertEqual(row["verdict"], "MISMATCH")
        self.assertIn("runs against in 1", row["failures"][0]["message"])

    def test_workspace_that_is_read_before_it_is_written_is_a_mismatch(self):
        self.assertEqual(self.add_row("reads_workspace")["verdict"], "MISMATCH")

    def test_rows_that_do_not_come_back_exactly_are_a_mismatch(self):
        row = self.rows("inexact_rows", "--op", "gather", "--format", "f32", code=1)["gather", "f32", "f32"]
        self.assertEqual(row["verdict"], "MISMATCH")
        self.assertIn("unpack_rows of weight 0", row["failures"][0]["message"])


class Overruns(Conformance):
    def test_writes_behind_an_output_are_told(self):
        self.all_messages("past_output", "ERROR", "PLUGIN_OVERRUN: it wrote byte", "PLUGIN_OVERRUN: it touched byte")

    def test_writes_between_rows_are_told(self):
        self.all_messages("past_row", "ERROR", "PLUGIN_OVERRUN: it wrote behind the end of row 0 of output 0")

    def test_writes_before_an_output_are_told(self):
        self.all_messages("before_output", "ERROR", "PLUGIN_OVERRUN: it wrote 4 bytes before the start of output 0")

    def test_writes_behind_the_workspace_are_told(self):
        self.all_messages("past_workspace", "ERROR", "PLUGIN_OVERRUN: it wrote byte 60 of the workspace, which has 60")

    def test_reads_behind_an_input_are_told(self):
        row = self.add_row("reads_past_input")
        messages = [failure["message"] for failure in row["failures"]]
        self.assertTrue(any("PLUGIN_OVERRUN: it touched byte 64 of input 0, which has 4;" in m for m in messages), messages)


class Faults(Conformance):
    def one_case_fails(self, flaw, *parts, cases=("0x33", "1x33", "5x33"), options=()):
        """Only cases of the bad width fail; those after them are run."""
        row = self.add_row(flaw, *options)
        failed = self.failed(row)
        for name in cases:
            for part in parts:
                self.assertIn(part, failed[name]["message"])
        self.assertGreater(row["passed"], 0)
        return row

    def test_a_crash_names_case_signal_and_step_and_costs_that_case_only(self):
        row = self.one_case_fails("segfault", "signal 11 (SIGSEGV)", "at: run on one thread")
        self.assertEqual((row["verdict"], row["errors"], row["passed"]), ("ERROR", 9, row["cases"] - 9))

    def test_a_hang_is_ended_and_told_and_after_two_the_rest_of_the_row_is_not_run(self):
        row = self.add_row("hang", "--timeout", "1")
        messages = [failure["message"] for failure in row["failures"]]
        for message in messages[:2]:
            self.assertIn("did not end in time and was killed at: run on one thread", message)
        self.assertEqual(set(messages[2:]), {"not run after 0 crashes and 2 hangs"})

    def test_an_exit_in_run_is_told(self):
        self.one_case_fails("exits", "exited with code 0 at: run on one thread")

    def test_an_exception_and_a_status_are_told_with_their_text(self):
        self.one_case_fails("throws", "thrown in run")
        self.one_case_fails("status", "it does not feel like it")

    def test_a_class_that_was_not_asked_is_told(self):
        row = self.rows("other_class", "--op", "add", code=1)["add", "f32", "exact64"]
        self.assertEqual((row["verdict"], row["passed"]), ("ERROR", 0))
        self.assertIn("PLUGIN_CONTRACT: class exact64 is asked and it says that it computes in f32", row["failures"][0]["message"])

    def test_a_pack_of_no_bytes_is_told(self):
        row = self.add_row("lies_about_pack")
        self.assertIn("PLUGIN_CONTRACT: pack_plan of weight 0 asks for 0 bytes", row["failures"][0]["message"])
        self.assertTrue(all("constant" in failure["case"] for failure in row["failures"]))


class Refusals(Conformance):
    def test_a_shape_that_is_refused_where_others_are_not_is_listed(self):
        row = self.add_row("refuses_257", code=0)
        self.assertEqual(row["verdict"], "PASS")
        self.assertEqual({r["reason"] for r in row["needless_refusals"]}, {"257 is a prime"})
        self.assertTrue(all("257" in r["case"] for r in row["needless_refusals"]))
        text = run(FLAWED / "refuses_257.so", "--quick", "--op", "add").stdout
        self.assertIn("Needless refusals", text)


class Arguments(Conformance):
    def refused(self, *arguments, parts, code=2):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_a_plugin_that_crashes_while_it_is_loaded_is_told(self):
        self.refused(FLAWED / "crash_in_init.so", code=1, parts=["PLUGIN_CRASHED_IN_PROBE", "signal 11 (SIGSEGV)"])

    def test_bad_arguments_give_code_2_and_name_the_choices(self):
        good = FLAWED / "none.so"
        self.refused(parts=["no plug-in is named"])
        self.refused("./nonexistent.so", parts=["PLUGIN_NOT_FOUND"])
        self.refused("nonexistent", parts=["PLUGIN_NOT_FOUND", "avx2"])
        self.refused("bpe", parts=["offers no tenon.kernel/1"])
        self.refused(good, "--op", "multiply", parts=["no op 'multiply'", "matmul"])
        self.refused(good, "--format", "q9", parts=["no format 'q9'", "q4_0"])
        self.refused(good, "--op", "add", "--format", "q4_0", parts=["no cases"])
        self.refused(good, "--case", "add/f32/f32/9x9x9", parts=["no case"])
        self.refused(good, "--seed", "x", parts=["--seed is 'x'"])
        self.refused(good, "--threads", "1", parts=["--threads is '1'", "from 2 to 64"])
        self.refused(good, "--quik", parts=["--quik"])

    def test_the_table_has_a_line_a_row_and_failures_with_their_commands(self):
        done = run(FLAWED / "wrong_tail.so", "--quick", "--op", "add")
        self.assertEqual(done.returncode, 1)
        lines = done.stdout.splitlines()
        self.assertTrue(any(line.split()[:4] == ["add", "f32", "f32", "MISMATCH"] for line in lines))
        self.assertIn("--case 'add/f32/f32/1x1'", done.stdout)
        self.assertIn("1 MISMATCH", lines[-1])


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False, verbosity=1).result.wasSuccessful())
