"""Runs the host executable and looks at what every bad input must give: an exit code, one message, nothing on stdout."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

EXECUTABLE = Path(os.environ["TENON_EXECUTABLE"])
SOURCE = Path(__file__).resolve().parents[2]
DEMO = SOURCE / "configs/demo/demo.gguf"
SECONDS = 60  # far more than any case takes; a hang ends here


def run(*arguments, stdin=b"", environment=None):
    return subprocess.run([EXECUTABLE, *arguments], input=stdin, capture_output=True, timeout=SECONDS, check=False,
                          env=environment)


class Case(unittest.TestCase):
    def refused(self, done, *parts, code=2):
        """One message on stderr that holds all parts, nothing on stdout."""
        message = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, code, message)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(message.count("tenon: "), 1, message)
        self.assertTrue(message.startswith("tenon: "), message)
        self.assertNotIn("internal error", message)
        self.assertLess(len(message), 2000)
        for part in parts:
            self.assertIn(part, message)

    def written(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, b"")
        self.assertTrue(done.stdout.endswith(b"\n"))


def main():
    sys.exit(not unittest.main(exit=False, verbosity=1).result.wasSuccessful())
