from __future__ import annotations

from evenrank.metric import parse
from tests.brute_force import tally_of


def test_only_levels_of_the_first_group_with_items_decide() -> None:
    queries = [[[], [0, 1]], [[0, 0], [0, 1]], [[2, 1], [0]], [[1]]]
    assert parse("Undecided").spread(tally_of(queries, [0, 1, 2])).expected.tolist() == [1, 0, 1, 0]
