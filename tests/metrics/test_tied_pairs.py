from __future__ import annotations

from evenrank.metric import parse
from tests.brute_force import tally_of


def test_counts_pairs_of_different_level_in_one_group() -> None:
    spread = parse("TiedPairs").spread(tally_of([[[0, 0, 1, 2], [1, 1]], [[], [0, 0]]], [0, 1, 2]))
    assert spread.expected.tolist() == [5, 0]
    assert spread.deviation.tolist() == [0, 0]


def test_large_groups_do_not_overflow() -> None:
    ranking = tally_of([[[]]], [0, 1])
    ranking.counts[0, 0] = 10**9, 10**9
    assert parse("TiedPairs").spread(ranking).expected[0] == 1e18
