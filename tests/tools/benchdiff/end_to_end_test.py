"""A throwaway CMake project under git: calibrate, compare a commit with uncommitted work, pin, clean."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from made_rounds import ROOT

PROGRAM = ROOT / "tools/benchdiff/benchdiff"

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(tiny CXX)
find_package(benchmark REQUIRED)
add_executable(tiny_bench bench.cpp work.cpp)
target_link_libraries(tiny_bench PRIVATE benchmark::benchmark)
"""
WORK = """int slow_units() { return %d; }
void unit(unsigned& x) { for (int i = 0; i < 400; ++i) x = x * 1664525u + 1013904223u; }
"""
BENCH = """#include <benchmark/benchmark.h>
int slow_units();
void unit(unsigned& x);
void run(benchmark::State& state, int units) {
  unsigned x = 1;
  for (auto _ : state) {
    for (int i = 0; i < units; ++i) unit(x);
    benchmark::DoNotOptimize(x);
  }
}
BENCHMARK_CAPTURE(run, same, 10);
BENCHMARK_CAPTURE(run, changed, slow_units());
%s
BENCHMARK_MAIN();
"""


class EndToEnd(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project, self.cache = Path(folder.name) / "tiny", Path(folder.name) / "cache"
        self.project.mkdir()
        (self.project / "CMakeLists.txt").write_text(CMAKE)
        (self.project / "work.cpp").write_text(WORK % 10)
        (self.project / "bench.cpp").write_text(BENCH % "BENCHMARK_CAPTURE(run, taken_away, 5);")
        (self.project / "benchdiff.json").write_text(json.dumps(
            {"targets": ["tiny_bench"], "rounds": 15, "repetitions": 9, "min_seconds": 0.0002}))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "base")

    def git(self, *arguments):
        return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments], cwd=self.project, check=True,
                              capture_output=True, text=True).stdout

    def benchdiff(self, *arguments):
        variables = {**os.environ, "XDG_CACHE_HOME": str(self.cache)}
        return subprocess.run([sys.executable, PROGRAM, *arguments], cwd=self.project, capture_output=True, text=True, check=False,
                              env=variables)

    def test_from_calibration_to_verdict(self):
        done = self.benchdiff("calibrate", "--links", "4", "--seed", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 scenarios, 6 links, 15 rounds", done.stdout)

        # Uncommitted: one scenario does three times the work, one is gone, one file is not known to git.
        (self.project / "work.cpp").write_text(WORK % 30)
        (self.project / "bench.cpp").write_text(BENCH % '#include "extra.inc"')
        (self.project / "extra.inc").write_text("BENCHMARK_CAPTURE(run, brought_in, 5);\n")
        before = self.git("status", "--porcelain"), self.git("stash", "list"), (self.project / "work.cpp").stat().st_mtime_ns

        done = self.benchdiff("run", "--base", "HEAD", "--pin", "HEAD", "--seed", "1", "--out", str(self.cache / "out"))
        self.assertEqual(done.returncode, 1, done.stderr + done.stdout)
        report = json.loads((self.cache / "out/report.json").read_text())
        rows = {row["scenario"]: row for row in report["rows"]}
        self.assertEqual(rows["run/changed"]["status"], "slower")
        self.assertGreater(rows["run/changed"]["ratio"], 2)
        self.assertNotIn(rows["run/same"]["status"], ("slower", "more_work", "faster"))
        self.assertEqual((rows["run/taken_away"]["status"], rows["run/brought_in"]["status"]), ("removed", "added"))
        self.assertIn("run/changed", [drift["scenario"] for drift in report["drifts"] if drift["over"]])
        if shutil.which("valgrind"):
            # 20 units of 400 steps more; a step is at least the multiplication and the addition.
            self.assertIn("instructions +", " ".join(rows["run/changed"]["evidence"]))

        self.assertEqual(before, (self.git("status", "--porcelain"), self.git("stash", "list"),
                                  (self.project / "work.cpp").stat().st_mtime_ns))
        self.assertEqual(self.benchdiff("clean").returncode, 0)
        self.assertEqual(len(self.git("worktree", "list").splitlines()), 1)

    def test_a_head_that_does_not_build_is_a_tool_error_that_shows_the_compiler_s_words(self):
        (self.project / "work.cpp").write_text("this is no C++\n")
        done = self.benchdiff("run", "--base", "HEAD", "--instructions", "0")
        self.assertEqual(done.returncode, 3)
        self.assertIn("work.cpp", done.stderr)

    def test_what_is_not_there_is_a_tool_error_that_names_it(self):
        for arguments, said in ((("--base", "no-such-branch"), "no-such-branch"), (("--base", "HEAD", "--target", "nil"), "nil"),
                                (("--base", "HEAD", "--preset", "nil"), "nil")):
            done = self.benchdiff("run", *arguments)
            self.assertEqual(done.returncode, 3, done.stdout)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
