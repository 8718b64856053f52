from __future__ import annotations

from fractions import Fraction
from math import comb, log

import numpy as np
import pytest

from evenrank.tie_orders.first_hit import log_chance_of_none


def chance(items: float, relevant: float, slots: float) -> float:
    return float(log_chance_of_none(*(np.array([float(x)]) for x in (items, relevant, slots)))[0])


@pytest.mark.parametrize(
    ("items", "relevant", "slots"),
    [
        (5, 2, 1),
        (5, 2, 3),
        (100, 33, 67),
        (100, 50, 50),
        (200, 100, 99),
        (1000, 40, 900),
        (5000, 33, 34),
        (20_000, 500, 700),
    ],
)
def test_ratio_of_binomials(items: int, relevant: int, slots: int) -> None:
    exact = Fraction(comb(items - relevant, slots), comb(items, slots))
    assert chance(items, relevant, slots) == pytest.approx(log(exact.numerator) - log(exact.denominator), rel=1e-11)


def test_certain_and_impossible() -> None:
    assert chance(10, 3, 0) == chance(10, 0, 3) == 0
    assert chance(10, 3, 8) == chance(100, 50, 51) == -np.inf


@pytest.mark.parametrize("items", [10**6, 10**9])
def test_product_and_stirling_agree_where_they_meet(items: int) -> None:
    """From 32 to 33 relevant items the chance changes by the factor (n - m - s) / (n - m)."""
    slots = items // 50
    step = chance(items, 33, slots) - chance(items, 32, slots)
    assert step == pytest.approx(np.log1p(-slots / (items - 32)), rel=1e-6)
