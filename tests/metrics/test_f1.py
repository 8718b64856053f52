from __future__ import annotations

import pytest

from evenrank.metric import parse
from tests.brute_force import tally_of


def test_is_the_harmonic_mean_where_nothing_ties() -> None:
    ranking = tally_of([[[1], [0], [1], [1], [0]]], [0, 1])
    p, r, f = (parse(f"{name}@3").spread(ranking).expected[0] for name in ("P", "R", "F1"))
    assert f == pytest.approx(2 * p * r / (p + r))
