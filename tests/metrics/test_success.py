from __future__ import annotations

import numpy as np
import pytest

from evenrank.curves import first_relevant
from evenrank.metric import parse
from evenrank.metrics.success import success_curve
from tests.brute_force import tally_of

QUERIES = [[[0, 1, 0], [1]], [[0], [0, 0, 1, 1]], [[1], []], [[], [0, 0, 0, 1]]]


def test_curve_is_the_mean_of_the_metric() -> None:
    ranking = tally_of(QUERIES, [0, 1])
    ranks = np.arange(1, 7)
    curve = success_curve(*first_relevant(ranking.groups()).T, ranks)
    mean = [parse(f"CMC@{k}").spread(ranking).expected.mean() for k in ranks]
    np.testing.assert_allclose(curve, mean, rtol=1e-14)


def test_curve_without_queries_is_not_a_number() -> None:
    none = np.zeros(0, np.int64)
    assert np.isnan(success_curve(none, none, none, np.array([1, 2]))).all()


def test_first_rank_is_the_share_of_the_first_group() -> None:
    spread = parse("CMC@1").spread(tally_of(QUERIES, [0, 1]))
    np.testing.assert_allclose(spread.expected, [1 / 3, 0, 1, 1 / 4], atol=1e-15)


@pytest.mark.parametrize("items", [10**3, 10**6, 10**9])
def test_one_of_many(items: int) -> None:
    ranking = tally_of([[[]]], [0, 1])
    ranking.counts[0, 0] = items - 1, 1
    assert parse("Success@5").spread(ranking).expected[0] == pytest.approx(5 / items, rel=1e-12)
