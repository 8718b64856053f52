from __future__ import annotations

import numpy as np
import pytest

from evenrank.metric import parse
from tests.brute_force import tally_of


def test_empty_ball_has_precision_zero() -> None:
    spread = parse("P@H<=1").spread(tally_of([[[], [], [1, 0]]], [0, 1]))
    np.testing.assert_array_equal(spread, np.zeros((4, 1)))


def test_only_r_precision_needs_a_relevant_item() -> None:
    assert [parse(name).needs_relevant for name in ("P@5", "P@H<=2", "Rprec")] == [False, False, True]


def test_rel_is_the_smallest_level_that_counts() -> None:
    ranking = tally_of([[[2], [1], [0]]], [0, 1, 2])
    assert parse("P(rel=2)@2").spread(ranking).expected[0] == 0.5
    assert parse("P@2").spread(ranking).expected[0] == 1


def test_threshold_of_the_tally_holds_where_rel_is_not_given() -> None:
    assert parse("P@2").spread(tally_of([[[2], [1], [0]]], [0, 1, 2], threshold=2)).expected[0] == 0.5


def test_hypergeometric_deviation() -> None:
    spread = parse("P@2").spread(tally_of([[[1, 1, 0, 0, 0]]], [0, 1]))
    assert spread.deviation[0] == pytest.approx(np.sqrt(2 * 0.4 * 0.6 * 3 / 4) / 2)
