"""Row 24 of bad inputs: a disk that gives up, and a file that is cut short while it is loaded."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

import tenon


class Reads(tenon.Case):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.model = Path(self.folder.name).resolve() / "model.gguf"
        self.addCleanup(self.folder.cleanup)

    def run_until(self, number, **more):
        shutil.copyfile(tenon.DEMO, self.model)
        environment = os.environ | more | {
            "LD_PRELOAD": os.environ["TENON_FAILING_READS"], "TENON_READS_OF": str(self.model),
            "TENON_READS_UNTIL": str(number), "ASAN_OPTIONS": "verify_asan_link_order=0"}
        return tenon.run("run", "-m", str(self.model), "-p", "Once", "-n", "1", "--greedy", environment=environment)

    def failures(self, pattern, **more):
        """Every third read fails in turn, until a run needs no more of them; how many did."""
        for number in range(1, 10_000, 3):
            done = self.run_until(number, **more)
            if done.returncode == 0:
                return number // 3
            self.refused(done, self.model.name, code=done.returncode)
            self.assertRegex(done.stderr.decode(), pattern)
            self.assertIn(done.returncode, (1, 2))
        return self.fail("the model is never read to its end")

    def test_a_read_error_names_the_file_and_the_error(self):
        self.assertGreater(self.failures("Input/output error"), 5)

    def test_a_file_cut_while_it_is_loaded_is_told_with_what_is_missing(self):
        self.assertGreater(self.failures("ends at byte|bytes expected, [0-9]+ present", TENON_READS_CUT="1"), 5)


if __name__ == "__main__":
    tenon.main()
