"""Exact sign-flip test of paired differences on their signed ranks, and the estimates that belong to it.

Under the null hypothesis base and head are exchangeable within a round, because a coin decides which runs first: each
difference is as likely with the other sign. The test counts over all 2^n sign patterns, so it needs no assumption
about the distribution and none about the number of rounds. Ranks instead of sizes, because one round that a neighbour
disturbed must not decide: the sum of signed ranks is Wilcoxon's statistic, and the Hodges-Lehmann estimate and the
interval below are that test turned round (Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, ch. 3).
"""

import bisect
import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist


def p_above(differences: list[float], margin: float = 0.0) -> float:
    """One-sided: the probability of so large a statistic where the differences are centred at `margin` or below."""
    shifted = [d - margin for d in differences if d != margin]
    if not shifted:
        return 1.0
    ranks = _doubled_ranks([abs(d) for d in shifted])
    if all(rank % 2 == 0 for rank in ranks):  # no ties: half the size
        ranks = [rank // 2 for rank in ranks]
    statistic = sum(rank for rank, d in zip(ranks, shifted, strict=True) if d > 0)
    return _upper_tail(tuple(sorted(ranks)))[statistic]


def p_below(differences: list[float], margin: float = 0.0) -> float:
    """One-sided: the same for differences centred at `margin` or above."""
    return p_above([-d for d in differences], -margin)


@dataclass(frozen=True)
class Estimate:
    """Location of the differences: Hodges-Lehmann estimate and two-sided interval."""

    centre: float
    low: float
    high: float


def estimate(differences: list[float], confidence: float = 0.95) -> Estimate:
    averages = walsh_averages(differences)
    middle = len(averages) // 2
    centre = averages[middle] if len(averages) % 2 else (averages[middle - 1] + averages[middle]) / 2
    low = bound(averages, len(differences), (1 - confidence) / 2)
    return Estimate(centre, low, -bound([-a for a in reversed(averages)], len(differences), (1 - confidence) / 2))


def walsh_averages(differences: list[float]) -> list[float]:
    """(d[i] + d[j]) / 2 over all i <= j, ascending."""
    return sorted((d + e) / 2 for i, d in enumerate(differences) for e in differences[: i + 1])


def bound(averages: list[float], n: int, level: float) -> float:
    """Lower bound of the location at one-sided `level`; -inf where n differences cannot reach that level."""
    # It is the k-th smallest average, k being the largest with P(W <= k - 1) <= level.
    k = bisect.bisect_right(_lower_tail(n), level)
    return averages[k - 1] if k > 0 else -math.inf


def smallest_level(n: int) -> float:
    """The smallest p-value that n differences can give."""
    return 0.5**n


def detectable(differences: list[float], margin: float, level: float, power: float = 0.9) -> float:
    """The smallest shift that a run with this scatter finds above `margin` at one-sided `level` with this `power`.

    What lies within `margin` cannot be told. Beyond it the test needs the distance from the estimate to its lower bound
    at `level`, which gives even odds; the rest is the normal quantile of the power in units of the same scatter."""
    averages = walsh_averages(differences)
    centre = averages[len(averages) // 2]
    half = centre - bound(averages, len(differences), level)
    normal = NormalDist()
    return margin + half * (1 + normal.inv_cdf(power) / normal.inv_cdf(1 - level))


def _doubled_ranks(sizes: list[float]) -> list[int]:
    """Twice the ranks, equal sizes sharing the mean of theirs: whole numbers in any case."""
    ordered = sorted(sizes)
    return [bisect.bisect_left(ordered, size) + bisect.bisect_right(ordered, size) + 1 for size in sizes]


@lru_cache(maxsize=64)
def _upper_tail(ranks: tuple[int, ...]) -> list[float]:
    """P(sum >= s) for s = 0, 1, ... where each rank is in the sum or not by a fair coin."""
    counts = _subset_sums(ranks)
    total, tail = 0, []
    for count in reversed(counts):
        total += count
        tail.append(total)
    scale = 2 ** len(ranks)
    return [count / scale for count in reversed(tail)]


@lru_cache(maxsize=64)
def _lower_tail(n: int) -> list[float]:
    """P(W <= w) for w = 0, 1, ... of n differences without ties."""
    total, tail, scale = 0, [], 2**n
    for count in _subset_sums(tuple(range(1, n + 1))):
        total += count
        tail.append(total / scale)
    return tail


def _subset_sums(ranks: tuple[int, ...]) -> list[int]:
    """How many of the 2^n subsets have each sum. The polynomial prod(1 + x^rank) is kept in one big integer, a field of
    n + 1 bits or more a coefficient: a factor is a shift and an addition, and 400 rounds take a fraction of a second."""
    width = (len(ranks) + 8) // 8  # bytes of a field; no coefficient exceeds 2^n
    polynomial = 1
    for rank in ranks:
        polynomial += polynomial << (8 * width * rank)
    raw = polynomial.to_bytes(width * (sum(ranks) + 1), "little")
    return [int.from_bytes(raw[at:at + width], "little") for at in range(0, len(raw), width)]
