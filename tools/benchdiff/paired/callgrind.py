"""Instructions of one iteration, counted by valgrind: the same on a busy machine and on a quiet one.

The counters are set to zero where the timed loop starts and written where it ends, at two functions of Google
Benchmark that it calls there, so neither setup nor checks are counted. With a tiny minimum time a scenario runs one
iteration. Address randomisation is off and the environment fixed: both are known to change counts a little.
"""

import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from .google_json import parse
from .process import Program, environment

_START, _END = "benchmark::State::StartKeepRunning()", "benchmark::State::FinishKeepRunning()"


def available() -> bool:
    return shutil.which("valgrind") is not None


def instructions(program: Program, scenarios: list[str], arguments: tuple[str, ...], seconds: float) -> dict[str, int]:
    """Of as many scenarios as the time allows, in the order given. A scenario of several threads is left out: how long
    threads wait for each other is not a count."""
    counted: dict[str, int] = {}
    end = time.monotonic() + seconds
    for name in scenarios:
        left = end - time.monotonic()
        if left <= 0:
            break
        found = _count(program, name, arguments, left)
        if found is not None:
            counted[name] = found
    return counted


def _count(program: Program, scenario: str, arguments: tuple[str, ...], seconds: float) -> int | None:
    with tempfile.TemporaryDirectory() as folder:
        command = ["setarch", "-R", "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", "--dump-instr=no",
                   f"--zero-before={_START}", f"--dump-before={_END}", str(program.path), "--benchmark_format=json",
                   "--benchmark_min_time=0.000000001", "--benchmark_repetitions=1",
                   f"--benchmark_filter=^{_escaped(scenario)}$", *arguments]
        try:
            done = subprocess.run(command, env=environment(program.variables, 1), capture_output=True, text=True,
                                  timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return None
        dumps = sorted(Path(folder).glob("out.*"))
        if done.returncode != 0 or len(dumps) != 1:
            return None  # several threads, several runs, or a program that valgrind cannot run
        measured = parse(done.stdout, str(program.path)).get(scenario)
        total = re.search(r"^(?:summary|totals): (\d+)", dumps[0].read_text(encoding="utf-8", errors="replace"), re.M)
        if measured is None or not measured.iterations or total is None:
            return None
        return round(int(total.group(1)) / measured.iterations[0])


def _escaped(scenario: str) -> str:
    return re.sub(r"([.^$*+?()\[\]{}|\\])", r"\\\1", scenario)
