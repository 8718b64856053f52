from __future__ import annotations

from evenrank.metric import parse
from tests.brute_force import tally_of


def test_all_is_found_behind_the_last_rank() -> None:
    spread = parse("R@9").spread(tally_of([[[1, 0], [1]], [[0], [1]]], [0, 1]))
    assert [values.tolist() for values in spread] == [[1, 1], [1, 1], [1, 1], [0, 0]]


def test_radius() -> None:
    assert parse("R@H<=0").spread(tally_of([[[1, 0], [1]]], [0, 1])).expected[0] == 0.5
