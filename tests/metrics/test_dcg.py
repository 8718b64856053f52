from __future__ import annotations

import numpy as np
import pytest

from evenrank.metric import parse
from evenrank.tally import Tally
from tests.brute_force import spread, tally_of

LEVELS = [0, 1, 2, 3, 5, 10]


@pytest.mark.parametrize(
    ("groups", "dcg"), [([[3, 1, 0], [2, 2], [], [0, 1, 0, 0]], 8.46157629), ([[10, 5, 2, 1, 0]], 623.89394955)]
)
def test_expected(groups: list[list[int]], dcg: float) -> None:
    found = parse("DCG").spread(tally_of([groups], LEVELS)).expected[0]
    assert found == pytest.approx(dcg, abs=1e-8)  # as many digits as are printed
    assert found == pytest.approx(spread(parse("DCG"), groups, LEVELS).expected, abs=1e-10)


def test_exponential_gain_has_a_largest_level() -> None:
    high = Tally([[[1, 1]]], levels=[0, 1001], distances=[0])
    with pytest.raises(ValueError, match="gain=exponential takes levels up to 1000; got 1001"):
        parse("DCG").spread(high)
    assert parse("DCG(gain=linear)").spread(high).best[0] == 1001


def test_the_largest_level_does_not_overflow() -> None:
    spread = parse("DCG").spread(Tally([[[1, 1]]], levels=[0, 1000], distances=[0]))
    assert np.isfinite(spread).all()
    assert spread.deviation[0] == pytest.approx(2.0**1000 * (1 - 1 / np.log2(3)) / 2)


@pytest.mark.parametrize("discount", ["log2", "reciprocal"])
@pytest.mark.parametrize(("before", "items"), [(10**6, 3), (10**9, 4), (70_000, 2), (60_000, 20_000)])
def test_groups_far_down_keep_their_digits(discount: str, before: int, items: int) -> None:
    """One relevant item at a random place behind `before` irrelevant ones; differences of logarithms by log1p."""
    spread = parse(f"DCG(discount={discount})").spread(
        Tally([[[before, 0], [items - 1, 1]]], levels=[0, 1], distances=[0, 1])
    )
    first, step = before + 1.0, np.arange(items)
    if discount == "log2":
        top = 1 / np.log2(first + 1)
        fall = np.log(2) * np.log1p(step / (first + 1)) / (np.log(first + 1) * np.log(first + 1 + step))
    else:
        top, fall = 1 / first, step / (first * (first + step))
    assert spread.expected[0] == pytest.approx(top - fall.mean(), rel=1e-12)
    assert spread.deviation[0] == pytest.approx(fall.std(), rel=1e-9)
    assert spread.worst[0] == pytest.approx(top - fall[-1], rel=1e-12)
