"""Probe files, what ctest prints, and what a run is worth; the whole tool is proved by tools/falsify/self_test."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/falsify"))

from probing.binary import Binary  # noqa: E402
from probing.ctest import End, end_of  # noqa: E402
from probing.probe import occurrences, read  # noqa: E402
from probing.verdict import Judged, Verdict, exit_code  # noqa: E402

from paired.errors import ToolError  # noqa: E402

GOOD = "[[probe]]\nid='a'\nfile='x.cpp'\nfind='1'\nreplace='2'\nbinary='b.so'\nred=['t']\n"


class Probes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def read(self, text):
        (self.folder / "probes.toml").write_text(text)
        return read(self.folder / "probes.toml")

    def test_a_probe_has_its_defaults(self):
        probe, = self.read(GOOD)
        self.assertEqual((probe.red, probe.green, probe.expect, probe.control), (("t",), (), "KILLED", False))

    def test_every_wrong_probe_gives_one_message_that_names_the_file(self):
        for text in ("[[probe]]\n", "[probe]\nid='a'\n", "x = 1\n", "[[probe", GOOD + "colour='red'\n", GOOD.replace("['t']", "'t'"),
                     GOOD.replace("['t']", "[]"), GOOD.replace("find='1'", "find=''"), GOOD.replace("id='a'", "id=1")):
            with self.assertRaisesRegex(ToolError, "probes.toml"):
                self.read(text)

    def test_occurrences_are_counted_and_no_file_has_none(self):
        probe, = self.read(GOOD)
        self.assertEqual(occurrences(self.folder, probe), 0)
        (self.folder / "x.cpp").write_text("1 2 1")
        self.assertEqual(occurrences(self.folder, probe), 2)

    def test_two_binaries_that_differ_by_their_nonce_are_blank_the_same(self):
        for name, text in (("a", b"code falsify:" + b"1" * 32), ("b", b"code falsify:" + b"2" * 32), ("c", b"CODE falsify:" + b"1" * 32)):
            (self.folder / name).write_bytes(text)
        a, b, c = (Binary.at(self.folder / name) for name in "abc")
        self.assertEqual(a.blank, b.blank)
        self.assertNotEqual(a.blank, c.blank)
        self.assertEqual(a.nonces, {"falsify:" + "1" * 32})


class WhatCtestPrints(unittest.TestCase):
    """Lines as ctest 3.25 prints them with -V."""

    def end(self, status, output=""):
        return end_of(f"test 3\n3: {output}\n1/1 Test #3: unit: a name, with dots ... {status}   0.02 sec\n")[0]

    def test_each_end_is_told_apart(self):
        self.assertEqual(self.end(".........   Passed"), End.PASSED)
        self.assertEqual(self.end(".........***Failed", "FAILED:\n3:   CHECK( a == b )"), End.ASSERTED)
        self.assertEqual(self.end(".........***Failed", "AssertionError: 1 != 2"), End.ASSERTED)
        self.assertEqual(self.end(".........***Failed", "terminate called"), End.CRASHED)
        self.assertEqual(self.end(".........***Failed", "FAILED:\n3: due to a fatal error condition:\n3:   SIGSEGV"), End.CRASHED)
        self.assertEqual(self.end(".........***Failed", "FAILED:\n3: due to unexpected exception with message:"), End.CRASHED)
        self.assertEqual(self.end(".........***Exception: SegFault"), End.CRASHED)
        self.assertEqual(self.end("Subprocess aborted***Exception:"), End.CRASHED)
        self.assertEqual(self.end(".........***Timeout"), End.TIMED_OUT)
        self.assertEqual(self.end(".........***Skipped"), End.NOT_RUN)
        self.assertEqual(self.end(".........***Not Run"), End.NOT_RUN)

    def test_a_test_that_checked_nothing_did_not_run(self):
        self.assertEqual(end_of("No tests were found!!!")[0], End.NOT_RUN)
        for said in ("No test cases matched 'x'", "No tests ran", "Ran 0 tests in 0.000s", "Running 0 tests from 0 test suites."):
            self.assertEqual(self.end(".........   Passed", said), End.NOT_RUN, said)


class WorthOfARun(unittest.TestCase):
    CANARY = Judged("canary", Verdict.KILLED, control=True)
    COMMENT = Judged("comment", Verdict.NO_OP, expected="NO-OP", control=True)

    def test_only_the_expected_verdict_passes(self):
        for verdict in Verdict:
            judged = [self.CANARY, self.COMMENT, Judged("x", verdict)]
            self.assertEqual(exit_code(judged), 0 if verdict is Verdict.KILLED else 1, verdict)

    def test_without_controls_that_hold_nothing_is_proved(self):
        killed = Judged("x", Verdict.KILLED)
        blind = Judged("canary", Verdict.SURVIVED, control=True)
        for judged in ([], [killed], [killed, self.CANARY], [killed, self.COMMENT], [killed, self.COMMENT, blind]):
            self.assertEqual(exit_code(judged), 2)


if __name__ == "__main__":
    unittest.main()
