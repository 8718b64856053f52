from __future__ import annotations

import numpy as np
import pytest

from evenrank.cutoff import Cutoff
from evenrank.groups import Groups

# first query: 2 items (1 relevant), none, 3 (2); second: 1 (0), 4 (1), 2 (2)
GROUPS = Groups(np.array([[2.0, 0, 3], [1, 4, 2]]), np.array([[1.0, 0, 2], [0, 1, 2]]), np.arange(3))


def test_what_lies_before() -> None:
    np.testing.assert_array_equal(GROUPS.before, [[0, 2, 2], [0, 1, 5]])
    np.testing.assert_array_equal(GROUPS.relevant_before, [[0, 1, 1], [0, 0, 1]])
    np.testing.assert_array_equal([GROUPS.total, GROUPS.total_relevant], [[5, 7], [3, 3]])


@pytest.mark.parametrize(
    ("cutoff", "slots"),
    [
        (Cutoff(), [[2, 0, 3], [1, 4, 2]]),
        (Cutoff("rank", 4), [[2, 0, 2], [1, 3, 0]]),
        (Cutoff("rank", 99), [[2, 0, 3], [1, 4, 2]]),
        (Cutoff("relevant"), [[2, 0, 1], [1, 2, 0]]),
        (Cutoff("radius", 1), [[2, 0, 0], [1, 4, 0]]),
    ],
)
def test_slots_above_the_cut(cutoff: Cutoff, slots: list[list[int]]) -> None:
    np.testing.assert_array_equal(GROUPS.slots(cutoff), slots)


def test_rank_of_the_cut() -> None:
    assert GROUPS.cut(Cutoff("rank", 4)).tolist() == [4, 4]
    assert GROUPS.cut(Cutoff("relevant")).tolist() == [3, 3]
    assert GROUPS.cut(Cutoff("radius", 1)).tolist() == [2, 5]
    assert GROUPS.cut(Cutoff()).tolist() == [5, 7]


def test_found_above_the_cut() -> None:
    found = GROUPS.found(Cutoff("rank", 4))
    np.testing.assert_allclose(found.expected, [1 + 4 / 3, 3 / 4])
    assert (found.most.tolist(), found.fewest.tolist()) == ([3, 1], [2, 0])
    np.testing.assert_allclose(found.deviation, [np.sqrt(2 / 9), np.sqrt(3 / 16)])


def test_distances_of_their_own() -> None:
    own = Groups(GROUPS.items, GROUPS.relevant, np.array([[0, 1, 2], [2, 3, 4]]))
    np.testing.assert_array_equal(own.slots(Cutoff("radius", 2)), [[2, 0, 3], [1, 0, 0]])


def test_cells_are_the_groups_that_count() -> None:
    cells = GROUPS.cells(Cutoff("rank", 5))
    assert cells.query.tolist() == [0, 0, 1]
    assert cells.place.tolist() == [0, 2, 4]
    assert (cells.before.tolist(), cells.slots.tolist()) == ([0, 2, 1], [2, 3, 4])
    np.testing.assert_array_equal(cells.total(np.array([1.0, 2, 4])), [3, 4])


def test_cells_of_a_query_without_any_sum_to_zero() -> None:
    cells = GROUPS.cells(Cutoff("rank", 1))
    np.testing.assert_array_equal(cells.total(np.ones(len(cells.query))), [1, 0])
    np.testing.assert_array_equal(cells[cells.query > 0].total(np.zeros(0)), [0, 0])
