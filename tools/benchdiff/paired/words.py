"""How numbers are written in every report."""

import math

from .signed_rank import Estimate

CANNOT_CATCH = (
    "code paths that no scenario runs, and results that no scenario checks",
    "changes below a row's sensitivity; the pin sees their sum, once it exceeds its budget",
    "changes within the layout floor, and those that only another processor, compiler or set of options shows",
    "what happens once: start, loading, first use, growth over hours",
    "what no clock or counter here shows: energy, peak memory, behaviour on a loaded machine",
)


def time(ns: float | None) -> str:
    if ns is None:
        return "–"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.4g} {unit}"
    return f"{ns:.4g} ns"


def change(log_ratio: float | None) -> str:
    if log_ratio is None:
        return "–"
    if math.isinf(log_ratio) or abs(log_ratio) > 20:
        return "∞" if log_ratio > 0 else "−100%"
    return f"{100 * math.expm1(log_ratio):+.1f}%"


def size(log_ratio: float | None) -> str:
    """Of a floor or a sensitivity, which have no sign."""
    return change(log_ratio).removeprefix("+")


def interval(ratio: Estimate | None) -> str:
    return "–" if ratio is None else f"{change(ratio.low)} to {change(ratio.high)}"


def probability(p: float) -> str:
    return f"{p:.2g}" if p >= 0.0001 else "<0.0001"
