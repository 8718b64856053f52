from __future__ import annotations

from fractions import Fraction
from math import fsum

import numpy as np
import pytest

from evenrank.tie_orders.partial_sums import FUNCTIONS, TABLE, drop, rising_sum, run_sum

RUNS = [
    (0, 1),
    (0, 7),
    (3, 0),
    (100, 50),
    (TABLE - 3, 1),
    (TABLE - 3, 3),
    (TABLE - 3, 9),
    (TABLE, 2),
    (10**8, 3),
    (10**9, 40),
]


def row(*values: float) -> tuple[np.ndarray, ...]:
    return tuple(np.array([float(value)]) for value in values)


@pytest.mark.parametrize("function", list(FUNCTIONS))
@pytest.mark.parametrize(("before", "count"), RUNS)
def test_short_runs(function: str, before: int, count: int) -> None:
    wanted = fsum(float(FUNCTIONS[function](np.float64(t))) for t in range(before + 1, before + count + 1))
    assert run_sum(function, *row(before, count))[0] == pytest.approx(wanted, rel=5e-15, abs=0)


@pytest.mark.parametrize("function", list(FUNCTIONS))
@pytest.mark.parametrize(("before", "count"), [(0, 10**6), (50_000, 10**6), (10**8, 10**6)])
def test_long_runs(function: str, before: int, count: int) -> None:
    wanted = fsum(FUNCTIONS[function](np.arange(before + 1.0, before + count + 1)))
    assert run_sum(function, *row(before, count))[0] == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize("function", list(FUNCTIONS))
def test_runs_end_to_end_add_up(function: str) -> None:
    cuts = np.array([0.0, 5, TABLE - 1, TABLE, TABLE + 1, 10**6, 10**9])
    parts = run_sum(function, cuts[:-1], np.diff(cuts))
    assert parts.sum() == pytest.approx(run_sum(function, *row(0, 10**9))[0], rel=1e-13)


@pytest.mark.parametrize(
    ("before", "count"), [(0, 4), (1000, 3), (TABLE - 10, 30), (10**6, 2), (10**9, 5), (4096, 10**5)]
)
def test_rising_sum(before: int, count: int) -> None:
    if count < 100:
        wanted = float(sum(Fraction(i, before + 1 + i) for i in range(count)))
    else:
        wanted = fsum(np.arange(count) / (before + 1.0 + np.arange(count)))
    got = rising_sum(*row(before, count), run_sum("reciprocal", *row(before, count)))[0]
    assert got == pytest.approx(wanted, rel=1e-10)


def test_shapes_are_kept() -> None:
    before = np.arange(6).reshape(2, 3)
    assert run_sum("reciprocal", before, np.ones((2, 3), int)).shape == (2, 3)
    assert run_sum("log2", np.zeros((0, 3)), np.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("function", ["reciprocal", "log2"])
def test_drop_is_the_difference(function: str) -> None:
    f, step = FUNCTIONS[function], np.arange(10.0)
    np.testing.assert_allclose(drop(function, np.full(10, 4.0), step), f(5 + step) - f(5 + 0 * step), rtol=1e-13)
    np.testing.assert_allclose(drop(function, *row(10**9, 1)), (f(1e9 + 1e6) - f(1e9 + 1)) / (1e6 - 1), rtol=2e-3)
