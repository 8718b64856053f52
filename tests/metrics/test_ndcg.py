from __future__ import annotations

import pytest
from sklearn.metrics import ndcg_score

from evenrank.metric import parse
from tests.brute_force import spread, tally_of

LEVELS = [0, 1, 2, 3, 5, 10]


@pytest.mark.parametrize(
    ("groups", "ndcg"),
    [
        ([[3, 1, 0], [2, 2], [], [0, 1, 0, 0]], 0.75480248),
        ([[10, 5, 2, 1, 0]], 0.59731950),
        ([[0, 0, 1], [10]], 0.43110502),
    ],
)
def test_expected(groups: list[list[int]], ndcg: float) -> None:
    found = parse("nDCG").spread(tally_of([groups], LEVELS)).expected[0]
    assert found == pytest.approx(ndcg, abs=1e-8)  # as many digits as are printed
    assert found == pytest.approx(spread(parse("nDCG"), groups, LEVELS).expected, abs=1e-10)


@pytest.mark.parametrize("k", [1, 3, 4, 9])
def test_linear_gain_is_what_scikit_learn_averages(k: int) -> None:
    groups = [[3, 1, 0], [2, 2], [], [0, 1, 0, 0]]
    scores = [-g for g, group in enumerate(groups) for _ in group]
    gains = [level for group in groups for level in group]
    got = parse(f"nDCG(gain=linear)@{k}").spread(tally_of([groups], LEVELS)).expected[0]
    assert got == pytest.approx(ndcg_score([gains], [scores], k=k), abs=1e-12)


def test_ideal_is_cut_at_the_same_rank() -> None:
    """A perfect first rank is a perfect nDCG@1, whatever else is relevant."""
    assert parse("nDCG@1").spread(tally_of([[[3], [0], [2, 2]]], LEVELS)).expected[0] == pytest.approx(1)
