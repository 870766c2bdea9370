"""Exact sign-flip test of paired differences on their signed ranks, and the estimates that belong to it.

Under the null hypothesis base and head are exchangeable within a round, because a coin decides which runs first: each
difference is as likely with the other sign. The test counts over all 2^n sign patterns, so it needs no assumption
about the distribution and none about the number of rounds. Ranks instead of sizes, because one round that a neighbour
disturbed must not decide: the sum of signed ranks is Wilcoxon's statistic, and the Hodges-Lehmann estimate and the
interval below are that test turned round (Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, ch. 3).

Ties and zeros count against a finding: among equal sizes those that speak for it get the lower ranks. So p is an upper
bound, and all samples of n share one exact distribution.
"""

import bisect
import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist


Sample = tuple[float, ...]  # differences; a tuple, because replays ask for the same ones again and again


@lru_cache(maxsize=4096)
def p_above(differences: Sample, margin: float = 0.0) -> float:
    """One-sided: the probability of so large a statistic where the differences are centred at `margin` or below."""
    shifted = sorted((d - margin for d in differences), key=lambda d: (abs(d), d < 0))
    statistic = sum(rank for rank, d in enumerate(shifted, 1) if d > 0)
    return _lower_tail(len(shifted))[_rank_sum(len(shifted)) - statistic]  # the distribution is symmetric


def p_below(differences: Sample, margin: float = 0.0) -> float:
    """One-sided: the same for differences centred at `margin` or above."""
    return p_above(_negated(differences), -margin)


@dataclass(frozen=True)
class Estimate:
    """Location of the differences: Hodges-Lehmann estimate and two-sided interval."""

    centre: float
    low: float
    high: float


def estimate(differences: Sample, confidence: float = 0.95) -> Estimate:
    level = (1 - confidence) / 2
    return Estimate(centre(differences), lower_bound(differences, level), -lower_bound(_negated(differences), level))


@lru_cache(maxsize=4096)
def centre(differences: Sample) -> float:
    """Hodges-Lehmann: the median of all averages (d[i] + d[j]) / 2, i <= j."""
    ordered = sorted(differences)
    count = _rank_sum(len(ordered))
    upper = _kth_average(ordered, count // 2 + 1)
    return upper if count % 2 else (_kth_average(ordered, count // 2) + upper) / 2


@lru_cache(maxsize=4096)
def lower_bound(differences: Sample, level: float) -> float:
    """Of the location, at one-sided `level`; -inf where so few differences cannot reach that level. It is the k-th
    smallest average, k being the largest with P(W <= k - 1) <= level."""
    k = bisect.bisect_right(_lower_tail(len(differences)), level)
    return _kth_average(sorted(differences), k) if k > 0 else -math.inf


def smallest_level(n: int) -> float:
    """The smallest p-value that n differences can give."""
    return 0.5**n


def detectable(differences: Sample, margin: float, level: float, power: float = 0.9) -> float:
    """The smallest shift that a run with this scatter finds above `margin` at one-sided `level` with this `power`.

    What lies within `margin` cannot be told. Beyond it the test needs the distance from the estimate to its lower bound
    at `level`, which gives even odds; the rest is the normal quantile of the power in units of the same scatter."""
    half = centre(differences) - lower_bound(differences, level)
    normal = NormalDist()
    return margin + half * (1 + normal.inv_cdf(power) / normal.inv_cdf(1 - level))


def _negated(differences: Sample) -> Sample:
    return tuple(-d for d in differences)


def _rank_sum(n: int) -> int:
    return n * (n + 1) // 2


def _kth_average(ordered: list[float], k: int) -> float:
    """The k-th smallest of all averages of two, without making all n^2 / 2 of them: bisection until few are left."""
    low, high, below = ordered[0] - 1.0, ordered[-1], 0  # `below` averages are at or under `low`
    reach, few = _rank_sum(len(ordered)), 4 * len(ordered)
    for _ in range(64):  # equal values cannot be told apart by more
        if reach - below <= few:
            break
        middle = (low + high) / 2
        count = sum(end - i for i, end in _rows(ordered, middle))
        if count >= k:
            high, reach = middle, count
        else:
            low, below = middle, count
    start = dict(_rows(ordered, low))
    left = sorted((ordered[i] + ordered[j]) / 2 for i, end in _rows(ordered, high) for j in range(start.get(i, i), end))
    return left[k - below - 1]


def _rows(ordered: list[float], limit: float) -> list[tuple[int, int]]:
    """For each i the end of the j from i on whose average with it is at most `limit`; only where there are any."""
    ends = ((i, bisect.bisect_right(ordered, 2 * limit - value)) for i, value in enumerate(ordered))
    return [(i, end) for i, end in ends if end > i]


@lru_cache(maxsize=64)
def _lower_tail(n: int) -> list[float]:
    """P(W <= w) for w = 0, 1, ... where W is the sum of those of the ranks 1 to n that a fair coin chooses.

    How many of the 2^n subsets have each sum: the polynomial prod(1 + x^rank) is kept in one big integer, a field of
    more than n bits a coefficient, so that a factor is a shift and an addition and 400 rounds take half a second."""
    width = (n + 8) // 8  # bytes of a field
    polynomial = 1
    for rank in range(1, n + 1):
        polynomial += polynomial << (8 * width * rank)
    raw = polynomial.to_bytes(width * (_rank_sum(n) + 1), "little")
    total, tail, scale = 0, [], 2**n
    for at in range(0, len(raw), width):
        total += int.from_bytes(raw[at:at + width], "little")
        tail.append(total / scale)
    return tail
