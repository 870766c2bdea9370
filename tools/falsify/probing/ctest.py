"""Runs one test of ctest and says how it ended, and which binaries its processes loaded."""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from paired.errors import ToolError


class End(Enum):
    PASSED = "passed"
    ASSERTED = "failed by an assertion"
    CRASHED = "ended without an assertion"
    TIMED_OUT = "did not end in time"
    NOT_RUN = "did not run"


@dataclass(frozen=True)
class Ran:
    end: End
    loaded: dict[str, str]  # path -> build-id, of all processes of the test
    detail: str = ""


# What test frameworks print where a test fails because of what it checks: Catch2, GoogleTest, Python, assert().
_ASSERTION = re.compile(r"\bFAILED:|\[  FAILED  \]|AssertionError|Assertion [`'].*failed|: Failure$", re.M)
# Catch2 prints FAILED: for these too, but nothing was checked.
_NO_ASSERTION = re.compile(r"due to a fatal error condition|due to unexpected exception")
_NOTHING = re.compile(r"No tests? (?:cases matched|ran)|No test cases matched|Ran 0 tests|Running 0 tests")
_ALL_SKIPPED = re.compile(r"Ran (\d+) tests? in .*\n+OK \(skipped=\1\)")
_STATUS = re.compile(r"^\s*1/1 Test\s+#\d+: .*?(Passed|\*\*\*.*?|Subprocess aborted\*\*\*.*?)\s+[\d.]+ sec", re.M)


def build_audit(folder: Path) -> Path:
    """The loader's audit module (loaded.c), compiled."""
    folder.mkdir(parents=True, exist_ok=True)
    source, target = Path(__file__).with_name("loaded.c"), folder / "falsify-loaded.so"
    done = subprocess.run(["cc", "-shared", "-fPIC", "-O1", str(source), "-o", str(target)], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise ToolError(f"{source} cannot be compiled: {done.stderr.strip()}")
    return target


def run(build: Path, name: str, audit: Path, seconds: float) -> Ran:
    with tempfile.TemporaryDirectory() as folder:
        loaded = Path(folder) / "loaded"
        variables = {**os.environ, "LD_AUDIT": str(audit), "FALSIFY_LOADED": str(loaded), "PYTHONDONTWRITEBYTECODE": "1"}
        command = ["ctest", "--test-dir", str(build), "-R", f"^{_escaped(name)}$", "-V", "--timeout", str(seconds)]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, errors="replace", check=False,
                              timeout=seconds * 4 + 60)
        ids = _loaded(loaded)
    end, detail = end_of(done.stdout)
    return Ran(end, ids, detail)


def end_of(output: str) -> tuple[End, str]:
    found = _STATUS.search(output)
    if found is None:
        return End.NOT_RUN, "ctest has no such test" if "No tests were found" in output else "ctest reports nothing"
    status = found.group(1)
    if "Timeout" in status:
        return End.TIMED_OUT, status.strip("* ")
    if "Skipped" in status or "Not Run" in status:
        return End.NOT_RUN, status.strip("* ")
    if _NOTHING.search(output) or _ALL_SKIPPED.search(output):
        return End.NOT_RUN, "its filter matches no test, or all are skipped"
    if status == "Passed":
        return End.PASSED, ""
    if "Exception" in status or _NO_ASSERTION.search(output) or not _ASSERTION.search(output):
        return End.CRASHED, status.strip("* ")
    return End.ASSERTED, ""


def _loaded(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    return {name: value for value, _, name in (line.partition(" ") for line in lines)}


def _escaped(name: str) -> str:
    return re.sub(r"([.^$*+?()\[\]|\\])", r"\\\1", name)
