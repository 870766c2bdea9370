"""The rules that ours is measured against, written from their descriptions and applied to the same rounds.

The old report: base first, then head, in one job; a row is flagged where the means differ by more than 15%, and loudly
from 30%.

Google Benchmark's compare.py, option -r: the two-sided Mann-Whitney U test of the repetitions of one base process against
those of one head process; a row is marked where p < 0.05. No correction for the number of rows, no least effect. It asks
for 9 repetitions or more; with fewer it warns.
"""

import math
import statistics
from statistics import NormalDist

OLD_FLAG = 0.15
U_LEVEL = 0.05


def old_rule(base: list[float], head: list[float]) -> int:
    """+1: flagged slower, -1: flagged faster, 0: not flagged."""
    change = statistics.fmean(head) / statistics.fmean(base) - 1
    return 0 if abs(change) <= OLD_FLAG else (1 if change > 0 else -1)


def u_rule(base: list[float], head: list[float]) -> int:
    """The same for compare.py; the direction is that of the medians."""
    if u_test(base, head) >= U_LEVEL:
        return 0
    return 1 if statistics.median(head) > statistics.median(base) else -1


def u_test(x: list[float], y: list[float]) -> float:
    """Two-sided p: exact where no values are equal and a sample has 8 or fewer, else by the normal approximation with
    corrections for ties and continuity, as SciPy's mannwhitneyu does by default."""
    u = sum((a > b) + 0.5 * (a == b) for a in x for b in y)
    largest = max(u, len(x) * len(y) - u)
    pooled = x + y
    if min(len(x), len(y)) <= 8 and len(set(pooled)) == len(pooled):
        return min(1.0, 2 * _exact_upper_tail(len(x), len(y), int(largest)))
    n = len(pooled)
    ties = sum(count**3 - count for count in (pooled.count(value) for value in set(pooled)))
    variance = len(x) * len(y) / 12 * (n + 1 - ties / (n * (n - 1)))
    if variance == 0:
        return 1.0
    z = (largest - len(x) * len(y) / 2 - 0.5) / math.sqrt(variance)
    return min(1.0, 2 * (1 - NormalDist().cdf(z)))


def _exact_upper_tail(m: int, n: int, u: int) -> float:
    """P(U >= u): of the ways to choose m of the ranks, counted by the value of U."""
    ways = [[0] * (m * n + 1) for _ in range(m + 1)]  # [how many chosen][U so far]
    ways[0][0] = 1
    for rank in range(1, m + n + 1):
        for chosen in range(min(rank, m), 0, -1):
            step = rank - chosen  # how many of the other sample lie below
            if step <= n:
                for total in range(m * n, step - 1, -1):
                    ways[chosen][total] += ways[chosen - 1][total - step]
    return sum(ways[m][u:]) / math.comb(m + n, m)
