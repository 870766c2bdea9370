"""Reads what a Google Benchmark program prints with --benchmark_format=json."""

import json
from dataclasses import dataclass, field
from typing import Any

from .errors import ToolError

_NANOSECONDS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
# Keys of a result that are Google Benchmark's own; every other number is a counter of the benchmark's author.
_OWN_KEYS = {
    "name", "run_name", "run_type", "family_index", "per_family_instance_index", "repetitions", "repetition_index",
    "threads", "iterations", "real_time", "cpu_time", "time_unit", "label", "error_occurred", "error_message",
    "skipped", "skip_message", "aggregate_name", "aggregate_unit", "big_o", "rms"}


@dataclass
class Measured:
    """One scenario in one process."""

    real_ns: list[float] = field(default_factory=list)  # a value a repetition, for one iteration
    cpu_ns: list[float] = field(default_factory=list)
    iterations: list[int] = field(default_factory=list)
    threads: int = 1
    counters: dict[str, float] = field(default_factory=dict)  # of the last repetition
    label: str = ""
    error: str = ""

    def times(self, metric: str) -> list[float]:
        return self.cpu_ns if metric == "cpu" else self.real_ns


def metric_of(scenario: str) -> str:
    """The clock that the benchmark's author chose, which Google Benchmark writes into the name."""
    parts = scenario.split("/")
    return "real" if "real_time" in parts or "manual_time" in parts else "cpu"


def parse(text: str, program: str) -> dict[str, Measured]:
    """Scenarios in the order in which the program reports them. A scenario that failed has `error` and no times."""
    try:
        results = json.loads(text)["benchmarks"]
    except (json.JSONDecodeError, KeyError, TypeError) as problem:
        raise ToolError(f"{program} printed no Google Benchmark JSON ({problem}); is it a Google Benchmark program?") from None
    found: dict[str, Measured] = {}
    for result in results:
        if result.get("run_type", "iteration") != "iteration":
            continue  # means and deviations over repetitions; we take our own
        measured = found.setdefault(result.get("run_name", result["name"]), Measured())
        _add(measured, result, program)
    return found


def _add(measured: Measured, result: dict[str, Any], program: str) -> None:
    if result.get("error_occurred") or result.get("skipped"):
        measured.error = result.get("error_message") or result.get("skip_message") or "no reason given"
        return
    unit = _NANOSECONDS.get(result.get("time_unit", "ns"))
    if unit is None:
        raise ToolError(f"{program}: {result['name']} has the time unit {result['time_unit']!r}; ns, us, ms or s is expected")
    measured.real_ns.append(float(result["real_time"]) * unit)
    measured.cpu_ns.append(float(result["cpu_time"]) * unit)
    measured.iterations.append(int(result["iterations"]))
    measured.threads = int(result.get("threads", 1))
    measured.label = result.get("label", "")
    measured.counters = {key: float(value) for key, value in result.items()
                         if key not in _OWN_KEYS and isinstance(value, (int, float)) and not isinstance(value, bool)}
