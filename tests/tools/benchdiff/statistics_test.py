"""Tests, estimates and adjustments against published examples and sums done by hand."""

import itertools
import math
import unittest

import made_rounds  # noqa: F401  finds the package

from paired.holm import adjusted
from paired.signed_rank import centre, detectable, estimate, lower_bound, p_above, p_below, smallest_level
from rules import old_rule, u_rule, u_test

# Hamilton depression scores of nine patients before and after a tranquilizer: Hollander, Wolfe, Chicken, table 3.1.
BEFORE = (1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30)
AFTER = (0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29)
DEPRESSION = tuple(y - x for x, y in zip(BEFORE, AFTER))


class SignedRank(unittest.TestCase):
    def test_p_of_the_depression_scores_is_the_book_s(self):
        self.assertAlmostEqual(p_below(DEPRESSION), 10 / 512, places=12)  # T+ = 5: 10 of the 512 sign patterns

    def test_estimate_and_interval_of_the_depression_scores_are_the_book_s(self):
        found = estimate(DEPRESSION, 0.96)
        self.assertAlmostEqual(found.centre, -0.46, places=9)
        self.assertAlmostEqual(found.low, -0.786, places=9)
        self.assertAlmostEqual(found.high, -0.010, places=9)

    def test_p_equals_a_count_over_all_sign_patterns(self):
        sizes = (0.3, 1.7, 0.9, 2.2, 0.1, 1.1)
        for signs in itertools.product((-1, 1), repeat=len(sizes)):
            sample = tuple(sign * size for sign, size in zip(signs, sizes))
            ranks = {size: rank for rank, size in enumerate(sorted(sizes), 1)}
            here = sum(ranks[abs(d)] for d in sample if d > 0)
            count = sum(sum(ranks[size] for size, sign in zip(sizes, pattern) if sign > 0) >= here
                        for pattern in itertools.product((-1, 1), repeat=len(sizes)))
            self.assertAlmostEqual(p_above(sample), count / 64, places=12)

    def test_all_on_one_side_gives_the_smallest_p_there_is(self):
        self.assertEqual(p_above(tuple(range(1, 12))), 0.5**11)
        self.assertEqual(smallest_level(11), 0.5**11)

    def test_critical_values_are_those_of_wilcoxon_s_table(self):
        # Two-sided 5%: the largest W that rejects, from the table printed in most textbooks.
        for n, critical in ((6, 0), (8, 3), (10, 8), (12, 13), (15, 25), (20, 52), (25, 89)):
            # Powers of four: all averages differ, so the bound's place among them tells k - 1, the critical value.
            sample = tuple(float(4**i) for i in range(n))
            averages = sorted((a + b) / 2 for i, a in enumerate(sample) for b in sample[: i + 1])
            self.assertEqual(averages.index(lower_bound(sample, 0.025)), critical, n)

    def test_a_margin_moves_the_null_hypothesis(self):
        sample = (0.05, 0.06, 0.07, 0.08, 0.09)
        self.assertEqual(p_above(sample), 1 / 32)
        self.assertEqual(p_above(sample, 0.1), 1.0)
        self.assertEqual(p_above(sample, 0.085), 31 / 32)  # one positive, of rank 1: only the pattern without any is below

    def test_ties_and_zeros_count_against_a_finding(self):
        self.assertEqual(p_above((0.0, 0.0, 0.0)), 1.0)
        # 1, 1, -1 with the negative one ranked highest: T+ = 1 + 2 = 3; five of the eight patterns reach it.
        self.assertEqual(p_above((1.0, 1.0, -1.0)), 5 / 8)

    def test_an_interval_of_too_few_differences_has_no_ends(self):
        found = estimate((0.1, 0.2, 0.3, 0.4, 0.5))
        self.assertEqual((found.low, found.high), (-math.inf, math.inf))

    def test_the_estimate_of_many_values_is_the_median_of_all_averages(self):
        sample = tuple(math.sin(7 * i) + (i % 5) for i in range(121))
        averages = sorted((a + b) / 2 for i, a in enumerate(sample) for b in sample[: i + 1])
        self.assertAlmostEqual(centre(sample), averages[len(averages) // 2], places=12)

    def test_what_can_be_seen_shrinks_with_the_scatter_and_never_below_the_margin(self):
        wide, narrow = (tuple(s * x for x in (-3, -2, -1, 0, 1, 2, 3, -2.5, 2.5, 0.5, -0.5)) for s in (0.02, 0.002))
        self.assertLess(detectable(narrow, 0.01, 0.05), detectable(wide, 0.01, 0.05))
        self.assertGreater(detectable(narrow, 0.01, 0.05), 0.01)
        self.assertEqual(detectable(wide, 0.01, 0.0004), math.inf)  # 11 differences give no p under 1/2048


class Holm(unittest.TestCase):
    def test_four_values_are_adjusted_as_by_hand(self):
        # 4 * 0.005, 3 * 0.01, 2 * 0.03, and 0.04 not below its neighbour.
        for found, expected in zip(adjusted([0.01, 0.04, 0.03, 0.005]), (0.03, 0.06, 0.06, 0.02)):
            self.assertAlmostEqual(found, expected)

    def test_no_value_exceeds_one_and_none_is_no_family(self):
        self.assertEqual(adjusted([0.6, 0.9]), [1.0, 1.0])
        self.assertEqual(adjusted([]), [])


class RulesOfOthers(unittest.TestCase):
    def test_u_test_gives_the_p_of_scipy_s_documentation(self):
        self.assertAlmostEqual(u_test([19, 22, 16, 29, 24], [20, 11, 17, 12]), 0.1111111111111111, places=12)

    def test_u_test_of_large_samples_is_the_normal_approximation(self):
        # Separated samples of 9: U = 81, mean 40.5, variance 81 * 19 / 12; z = 40 / sqrt(128.25) = 3.5321.
        x, y = [float(i) for i in range(9)], [float(i + 100) for i in range(9)]
        self.assertAlmostEqual(u_test(x, y), 0.000412, places=6)

    def test_the_old_rule_flags_beyond_fifteen_percent_of_the_means(self):
        self.assertEqual(old_rule([100.0], [115.0]), 0)
        self.assertEqual(old_rule([100.0], [116.0]), 1)
        self.assertEqual(old_rule([100.0], [84.0]), -1)

    def test_the_rule_of_compare_py_flags_any_significant_difference(self):
        x = [100.0 + i / 10 for i in range(9)]
        self.assertEqual(u_rule(x, [v + 1 for v in x]), 1)  # 1% slower, clean: flagged
        self.assertEqual(u_rule(x, x), 0)


if __name__ == "__main__":
    unittest.main()
