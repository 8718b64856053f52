from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from evenrank.cutoff import Cutoff
from evenrank.metric import parse
from evenrank.metrics.average_precision import AveragePrecision
from evenrank.tally import Tally
from evenrank.tie_orders.interpolation import Step, Trapezoid
from evenrank.tie_orders.variance import direct_sums, variance_of
from tests import brute_force


def tally(items: list[int], relevant: list[int]) -> Tally:
    n, m = np.array(items), np.array(relevant)
    return Tally(np.stack([n - m, m], axis=-1)[None], [0, 1], np.arange(len(n)))


@pytest.mark.parametrize(
    ("items", "relevant", "expected"),
    [
        ([10], [5], 0.6071649030),
        ([2, 3, 0, 4], [1, 2, 0, 1], 0.6391865079),
        ([3, 5, 7], [0, 2, 7], 0.4330854331),
        ([1, 0, 4, 5], [1, 0, 2, 1], 0.7596825397),
        ([100], [10], 0.1380670683),
        ([1000], [1], 0.0074854709),
        ([1, 1, 1], [1, 0, 1], 0.8333333333),
        ([3], [1], 0.6111111111),  # three documents, one score: tools say 1.0 or 0.333 by their order
    ],
)
def test_expected(items: list[int], relevant: list[int], expected: float) -> None:
    assert AveragePrecision().spread(tally(items, relevant)).expected[0] == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(
    ("items", "relevant", "deviation"),
    [
        ([10], [5], 0.1413439462),
        ([2, 3, 0, 4], [1, 2, 0, 1], 0.0733729381),
        ([1, 0, 4, 5], [1, 0, 2, 1], 0.0786904762),
        ([3], [1], 0.2832788619),
    ],
)
def test_deviation(items: list[int], relevant: list[int], deviation: float) -> None:
    assert AveragePrecision().spread(tally(items, relevant)).deviation[0] == pytest.approx(deviation, abs=1e-10)


@pytest.mark.parametrize(
    ("items", "relevant", "worst", "best"),
    [([10], [5], 0.354365, 1.0), ([2, 3, 0, 4], [1, 2, 0, 1], 0.511111, 0.770833)],  # the first is Fig. 2 of paper 2
)
def test_range(items: list[int], relevant: list[int], worst: float, best: float) -> None:
    spread = AveragePrecision().spread(tally(items, relevant))
    assert (spread.worst[0], spread.best[0]) == (pytest.approx(worst, abs=5e-7), pytest.approx(best, abs=5e-7))
    groups = [[1] * m + [0] * (n - m) for n, m in zip(items, relevant, strict=True)]
    by_hand = brute_force.spread(AveragePrecision(), groups, [0, 1])  # the printed values have six digits
    np.testing.assert_allclose([spread.worst[0], spread.best[0]], [by_hand.worst, by_hand.best], atol=1e-10)


@pytest.mark.parametrize(
    ("correct", "r_precision", "map_at_r"),
    [([1], 10, 10), ([1, 10], 20, 12), ([1, 2], 20, 20), (range(1, 11), 100, 100)],
)
def test_table_3_of_paper_5(correct: list[int], r_precision: int, map_at_r: int) -> None:
    """R = 10 relevant items, of which those at the given ranks are among the first ten results."""
    relevant = [int(rank in correct) for rank in range(1, 11)] + [10 - len(correct)]
    ranking = tally([1] * 10 + [10 - len(correct)], relevant)
    assert parse("Rprec").spread(ranking).expected[0] * 100 == pytest.approx(r_precision)
    assert parse("MAP@R").spread(ranking).expected[0] * 100 == pytest.approx(map_at_r)
    assert parse("Success@1").spread(ranking).expected[0] == 1


def test_best_with_retrieved_divisor_is_not_relevant_first() -> None:
    """Groups [1, 0], [0, 1] cut at 3: leaving the last relevant item below the cut gives 1, not 0.833."""
    spread = parse("AP(divisor=retrieved)@3").spread(tally([2, 2], [1, 1]))
    assert spread.best[0] == pytest.approx(1.0)


def test_divisors_differ_only_with_a_cut() -> None:
    ranking = tally([2, 3, 0, 4], [1, 2, 0, 1])
    uncut = {parse(f"AP(divisor={d})").spread(ranking).expected[0] for d in ("relevant", "retrieved", "min")}
    cut = {parse(f"AP(divisor={d})@3").spread(ranking).expected[0] for d in ("relevant", "retrieved", "min")}
    assert (len(uncut), len(cut)) == (1, 3)


def test_trapezoid_does_not_go_with_retrieved() -> None:
    with pytest.raises(ValueError, match="divisor=retrieved goes with interpolation=step only"):
        parse("AP(divisor=retrieved, interpolation=trapezoid)@10")


@pytest.mark.parametrize("interpolation", ["step", "trapezoid"])
@pytest.mark.parametrize(
    ("before", "relevant_before", "items", "relevant"),
    [(10**6, 0, 3, 2), (10**8, 0, 3, 2), (10**9, 0, 5, 2), (65_534, 0, 6, 3), (10**8, 10**8, 4, 1)],
)
def test_short_groups_far_down_keep_their_digits(
    interpolation: str, before: int, relevant_before: int, items: int, relevant: int
) -> None:
    """Against all orders in exact rationals; what lies before is all relevant or all not."""
    values = []
    for chosen in combinations(range(items), relevant):
        total = Fraction(0)
        for number, place in enumerate(chosen):
            rank, hits = before + 1 + place, relevant_before + number
            earlier = Fraction(hits, rank - 1)
            at = Fraction(hits + 1, rank)
            total += at if interpolation == "step" else (earlier + at) / 2
        values.append(total)
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    group = tally([before, items], [relevant_before, relevant])
    spread = AveragePrecision(interpolation=interpolation).spread(group)
    count = relevant_before + relevant
    known = relevant_before  # every precision is 1 there
    assert spread.expected[0] == pytest.approx(float((known + mean) / count), rel=1e-12)
    assert spread.deviation[0] == pytest.approx(sqrt(variance) / count, rel=1e-12)


@pytest.mark.parametrize("weights", [Step(), Trapezoid()])
@pytest.mark.parametrize(
    ("before", "relevant_before", "items", "relevant"),
    [
        (0, 0, 100_000, 30),
        (0, 0, 70_000, 69_000),
        (5, 3, 65_536, 10),
        (60_000, 9, 300_000, 2_000),
        (10**6, 5, 10**6, 99),
    ],
)
def test_closed_form_is_the_sum_over_ranks(
    weights: Step | Trapezoid, before: int, relevant_before: int, items: int, relevant: int
) -> None:
    n, m, size, earlier = (np.array([float(x)]) for x in (items, relevant, before, relevant_before))
    closed = variance_of(n, m, n, weights.sums(size, earlier, n))[0]
    direct = variance_of(n, m, n, direct_sums(size, earlier, n, weights))[0]
    np.testing.assert_allclose(closed, direct, rtol=1e-9)


def test_mean_of_a_billion_items() -> None:
    """One relevant item anywhere among n: the mean of 1/t, here ln n + γ over n."""
    spread = AveragePrecision().spread(tally([10**9], [1]))
    gamma = 0.5772156649015329
    assert spread.expected[0] == pytest.approx((np.log(10**9) + gamma + 0.5e-9) / 10**9, rel=1e-12)
    assert spread.deviation[0] == pytest.approx(sqrt((np.pi**2 / 6) / 10**9), rel=1e-6)


def test_cut_at_a_group_end_ignores_what_follows() -> None:
    whole = AveragePrecision(Cutoff("rank", 5)).spread(tally([2, 3, 4], [1, 2, 0]))
    short = AveragePrecision().spread(tally([2, 3], [1, 2]))
    np.testing.assert_allclose(whole, short)
