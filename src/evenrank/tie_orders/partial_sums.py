"""Sums of a smooth function over a run of ranks, Σ f(t) for t = before + 1 … before + count, without a loop.

Up to rank 65,536 they are differences of a table of prefix sums, kept as two floats (value and rounding error) so that
a short run far down keeps its digits. Beyond, the Euler–Maclaurin formula around the midpoints is exact to the last
digit with a single correction: Σ f = ∫ f - (f'(b) - f'(a)) / 24 over a = before + 1/2 … b = a + count. Memory is
bounded whatever the number of items.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np

Function = Literal["reciprocal", "reciprocal_square", "log2", "log2_square"]

TABLE = 1 << 16  # the last rank of the tables
SERIES = 1 << 12  # from here on the Euler–Maclaurin formula is exact in float64
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)


def run_sum(function: Function, before: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return Σ f(t) over `count` ranks behind rank `before`; whole numbers, any matching shapes.

    reciprocal is 1/t, log2 the discount 1/log2(t + 1), and the others are their squares.

    >>> run_sum("reciprocal", np.array([0, 10]), np.array([3, 1])).tolist()
    [1.8333333333333333, 0.09090909090909091]
    """
    before, count = np.asarray(before), np.asarray(count)
    last = before + count
    high, low = _prefix_sums(function)
    if last.max(initial=0) <= TABLE:
        first, last = before.astype(np.intp), last.astype(np.intp)
        return np.asarray((high.take(last) - high.take(first)) + (low.take(last) - low.take(first)))
    inside = np.minimum(before, TABLE)
    middle = np.minimum(last, TABLE)
    far = np.maximum(before, TABLE)
    return np.asarray(
        run_sum(function, inside, middle - inside) + _far_sum(function, far, np.maximum(last, TABLE) - far)
    )


def drop(function: Function, before: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return f(before + 1 + step) - f(before + 1) for reciprocal or log2, where far down the two are nearly equal."""
    first = before + 1
    if function == "reciprocal":
        return np.asarray(-step / (first * (first + step)))
    return np.asarray(-np.log(2) * np.log1p(step / (first + 1)) / (np.log(first + 1) * np.log(first + 1 + step)))


def rising_sum(before: np.ndarray, count: np.ndarray, reciprocal: np.ndarray) -> np.ndarray:
    """Return Σ i / (before + 1 + i) for i = 0 … count - 1, given `reciprocal`, the run's Σ 1/t.

    It is count - (before + 1) Σ 1/t, which far down is a small difference of large numbers; there it is written with
    x - log(1 + x), x = count / (before + 1/2).
    """
    plain: np.ndarray = count - (before + 1) * reciprocal
    if (before + count).max(initial=0) <= TABLE:
        return plain
    start = before + 0.5
    x = count / start
    squares = x * (1 / start + 1 / (start + count)) / (start + count)  # 1/a² - 1/b²
    series = start * _log_residue(x) - np.log1p(x) / 2 + (start + 0.5) * squares / 24
    return np.where(before >= SERIES, series, plain)


def _far_sum(function: Function, before: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return the run's sum by the Euler–Maclaurin formula; the derivative is a difference over one rank."""
    f = FUNCTIONS[function]
    start = before + 0.5
    end = start + count
    slopes = (f(end + 0.5) - f(end - 0.5)) - (f(start + 0.5) - f(start - 0.5))
    return np.asarray(_integral(function, start, count) - slopes / 24)


def _integral(function: Function, start: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return ∫ f over `count` from `start`; discounts by Gauss–Legendre quadrature in log t, where they are smooth."""
    width: np.ndarray = np.log1p(count / start)
    if function == "reciprocal":
        return width
    if function == "reciprocal_square":
        return np.asarray(count / (start * (start + count)))
    total = np.zeros_like(width)
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        t = start * np.exp(width * (1 + node) / 2)
        total += weight * t * FUNCTIONS[function](t)
    return np.asarray(total * width / 2)


FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "reciprocal": lambda t: 1 / t,
    "reciprocal_square": lambda t: 1 / (t * t),
    "log2": lambda t: 1 / np.log2(t + 1),
    "log2_square": lambda t: 1 / np.log2(t + 1) ** 2,
}


@lru_cache
def _prefix_sums(function: Function) -> tuple[np.ndarray, np.ndarray]:
    """Return (high, low), high + low = Σ f(t) for t ≤ rank at each rank 0 … TABLE, with about 30 digits."""
    terms = FUNCTIONS[function](np.arange(1.0, TABLE + 1)).reshape(256, -1)  # row after row
    within = _accumulate(terms.T)
    above = _accumulate(np.stack([part[-1] for part in within], axis=1))
    high, low = within[0].T.copy(), within[1].T.copy()
    high[1:], error = _two_sum(high[1:], above[0][:-1, :1])
    low[1:] += error + above[0][:-1, 1:] + above[1][:-1].sum(axis=1, keepdims=True)
    return np.append(0.0, high), np.append(0.0, low)


def _accumulate(terms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the running sums down the columns and what rounding left out of them."""
    high, low = terms.copy(), np.zeros_like(terms)
    for row in range(1, len(terms)):
        high[row], error = _two_sum(high[row - 1], terms[row])
        low[row] = low[row - 1] + error
    return high, low


def _two_sum(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a + b and its rounding error (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _log_residue(x: np.ndarray) -> np.ndarray:
    """Return x - log(1 + x) for x >= 0, to full relative precision."""
    series = np.zeros_like(x)
    for power in range(12, 1, -1):
        series = (-1) ** power / power + x * series
    return np.asarray(np.where(x < 0.03, series * x * x, x - np.log1p(x)))
