from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest

from evenrank.metric import parse
from evenrank.tally import Tally


def single(before: int, items: int, relevant: int) -> Tally:
    return Tally([[[before, 0], [items - relevant, relevant]]], levels=[0, 1], distances=[0, 1])


@pytest.mark.parametrize(
    ("before", "items", "relevant"),
    [(0, 600, 1), (0, 1500, 2), (3, 2000, 40), (10**6, 900, 1), (10**8, 3, 1), (7, 700, 690), (100, 1200, 35)],
)
@pytest.mark.parametrize("cut", [None, 37, 640])
def test_exact_rationals(before: int, items: int, relevant: int, cut: int | None) -> None:
    last = items - relevant + 1
    chance = [Fraction(comb(items - t, relevant - 1), comb(items, relevant)) for t in range(1, last + 1)]
    assert sum(chance) == 1
    value = [Fraction(1, before + t) if cut is None or t <= cut else Fraction(0) for t in range(1, last + 1)]
    mean = sum(p * v for p, v in zip(chance, value, strict=True))
    variance = sum(p * (v - mean) ** 2 for p, v in zip(chance, value, strict=True))
    spread = parse("RR" if cut is None else f"RR@{before + cut}").spread(single(before, items, relevant))
    assert spread.expected[0] == pytest.approx(float(mean), rel=1e-11)
    assert spread.deviation[0] == pytest.approx(sqrt(variance), rel=1e-9, abs=1e-30)


def test_one_of_a_billion() -> None:
    spread = parse("RR").spread(single(0, 10**9, 1))
    assert spread.expected[0] == pytest.approx((np.log(10**9) + 0.5772156649015329) / 10**9, rel=1e-9)


def test_is_average_precision_with_one_relevant_item() -> None:
    for before, items in ((0, 5000), (17, 123_456), (10**5, 10**7)):
        ranking = single(before, items, 1)
        np.testing.assert_allclose(parse("RR").spread(ranking), parse("AP").spread(ranking), rtol=1e-10)
