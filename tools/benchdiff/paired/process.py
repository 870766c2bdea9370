"""Runs one benchmark program once and gives back what it measured."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from .errors import ToolError
from .google_json import Measured, parse

# A program sees these variables of ours and nothing else of the caller's shell: the size of the environment moves the
# stack, and with it the times.
_KEPT = ("PATH", "HOME", "LD_LIBRARY_PATH", "LANG", "XDG_CACHE_HOME")
_SEED_WIDTH = 20  # digits, so that all seeds take the same room


@dataclass(frozen=True)
class Sampling:
    """How a program is asked to repeat itself."""

    repetitions: int = 9
    min_seconds: float = 0.01  # a repetition
    filter: str = ""
    arguments: tuple[str, ...] = ()
    seconds: float = 3600.0  # a process that takes longer hangs

    def flags(self) -> list[str]:
        """Repetitions of all scenarios are shuffled by Google Benchmark: that is the reshuffled order of each round."""
        flags = ["--benchmark_format=json", f"--benchmark_repetitions={self.repetitions}",
                 f"--benchmark_min_time={self.min_seconds:.9f}", "--benchmark_enable_random_interleaving=true",
                 "--benchmark_report_aggregates_only=false", "--benchmark_display_aggregates_only=false"]
        return flags + ([f"--benchmark_filter={self.filter}"] if self.filter else []) + list(self.arguments)


@dataclass(frozen=True)
class Program:
    """A benchmark executable of one arm, and the variables that it is run with."""

    path: Path
    variables: dict[str, str] = field(default_factory=dict)


def environment(variables: dict[str, str], seed: int) -> dict[str, str]:
    """The environment of a measured process."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "BENCHDIFF_SEED": str(seed).zfill(_SEED_WIDTH), **variables}


def output_of(command: list[str], variables: dict[str, str], seed: int, seconds: float) -> str:
    """What a program prints; its folder is the working directory."""
    program = command[0]
    try:
        done = subprocess.run(command, env=environment(variables, seed), capture_output=True, text=True,
                              timeout=seconds, check=False)
    except FileNotFoundError:
        raise ToolError(f"{program} is not there; was it built?") from None
    except PermissionError:
        raise ToolError(f"{program} cannot be executed") from None
    except subprocess.TimeoutExpired:
        raise ToolError(f"{program} did not end within {seconds:.0f} s") from None
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
        raise ToolError(f"{program} ended with code {done.returncode}: " + " / ".join(last))
    return done.stdout


def measure(program: Program, sampling: Sampling, seed: int) -> dict[str, Measured]:
    text = output_of([str(program.path), *sampling.flags()], program.variables, seed, sampling.seconds)
    return parse(text, str(program.path)) if text.strip() else {}


def scenarios_of(program: Program, pattern: str = "") -> list[str]:
    """The names that a program registers. Where a filter leaves nothing, Google Benchmark says so and fails."""
    flags = ["--benchmark_list_tests=true"] + ([f"--benchmark_filter={pattern}"] if pattern else [])
    text = output_of([str(program.path), *flags], program.variables, 1, 600.0)
    return [line for line in text.splitlines() if line and not line.startswith("Failed to match")]
