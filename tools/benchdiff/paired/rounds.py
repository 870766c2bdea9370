"""Recorded rounds: what was measured, in which order, on which machine. The file is the only input of a comparison."""

import gzip
import json
import math
import statistics
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .errors import ToolError

FORMAT = "benchdiff-rounds/1"
_DIGITS = 4  # of a time; a thousandth is far below the noise of any machine


@dataclass
class Arm:
    """One side of a comparison: what was built and from what."""

    revision: str = ""
    build_ids: dict[str, str] = field(default_factory=dict)  # file, relative to the build folder -> GNU build-id
    counters: dict[str, dict[str, float | None]] = field(default_factory=dict)  # the author's; None: it varies
    labels: dict[str, str] = field(default_factory=dict)
    instructions: dict[str, int] = field(default_factory=dict)  # scenario -> one iteration's, by callgrind
    errors: dict[str, str] = field(default_factory=dict)  # scenario -> why it did not run


@dataclass
class Round:
    """Times in nanoseconds: arm -> scenario -> a value a repetition."""

    order: list[str]
    times: dict[str, dict[str, list[float]]]
    load: float = 0.0  # runnable processes a minute before


@dataclass
class Recording:
    arms: dict[str, Arm]
    rounds: list[Round]
    host: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    created: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    def scenarios(self, arm: str) -> list[str]:
        """Those that were measured in every round, in the order of their names."""
        measured = [set(each.times.get(arm, {})) for each in self.rounds]
        return sorted(set.intersection(*measured)) if measured else []

    def log_ratios(self, base: str, head: str, base_name: str, head_name: str) -> tuple[float, ...]:
        """One a round: the median of the head process to that of the base process beside it. The unit of every test is
        the process: what repeats within one shares its pages, its neighbours and its luck."""
        return tuple(math.log(statistics.median(each.times[head][head_name]) / statistics.median(each.times[base][base_name]))
                     for each in self.rounds)

    def typical_ns(self, arm: str, scenario: str) -> float:
        return statistics.median(statistics.median(each.times[arm][scenario]) for each in self.rounds)


def save(recording: Recording, path: Path, raw_rounds: int | None = None) -> None:
    """`raw_rounds`: of the rounds after so many only the median of each process is kept, to save room."""
    names = sorted({name for each in recording.rounds for times in each.times.values() for name in times})
    document = {"format": FORMAT, **asdict(recording), "scenarios": names}
    document["rounds"] = [
        {"order": each.order, "load": round(each.load, 2), "times": {
            arm: [_column(times.get(name), raw_rounds is None or index < raw_rounds) for name in names]
            for arm, times in each.times.items()}}
        for index, each in enumerate(recording.rounds)]
    text = json.dumps(document, separators=(",", ":"))
    if path.suffix == ".gz":
        # No name and no time in the header: equal recordings are equal files.
        path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    else:
        path.write_text(text, encoding="utf-8")


def _column(values: list[float] | None, raw: bool) -> list[float] | float | None:
    if not values:
        return None
    return [_rounded(value) for value in values] if raw else _rounded(statistics.median(values))


def _rounded(value: float) -> float | int:
    short = float(f"{value:.{_DIGITS}g}")
    return int(short) if short.is_integer() else short


def _round_of(stored: dict[str, Any], names: list[str]) -> Round:
    def values(cell: list[float] | float) -> list[float]:
        return cell if isinstance(cell, list) else [cell]

    times = {arm: {name: values(cell) for name, cell in zip(names, cells, strict=True) if cell is not None}
             for arm, cells in stored["times"].items()}
    return Round(order=stored["order"], times=times, load=stored.get("load", 0.0))


def load(path: Path) -> Recording:
    try:
        raw = path.read_bytes()
        document = json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)
    except OSError as problem:
        raise ToolError(f"{path}: {problem.strerror}") from None
    except (ValueError, EOFError, gzip.BadGzipFile) as problem:
        raise ToolError(f"{path} is no JSON: {problem}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        found = document.get("format") if isinstance(document, dict) else type(document).__name__
        raise ToolError(f"{path} has the format {found!r}; {FORMAT!r} is expected (recorded by 'benchdiff run')")
    try:
        return Recording(
            arms={name: Arm(**arm) for name, arm in document["arms"].items()},
            rounds=[_round_of(each, document["scenarios"]) for each in document["rounds"]],
            host=document.get("host", {}), seed=document.get("seed", 0), created=document.get("created", ""),
            settings=document.get("settings", {}))
    except (KeyError, TypeError, AttributeError, ValueError) as problem:
        raise ToolError(f"{path}: a member is missing or wrong: {problem}") from None
