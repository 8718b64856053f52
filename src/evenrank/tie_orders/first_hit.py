"""Where the first relevant item of a shuffled tie group lies.

Of n items, m of them relevant, none of the first s is relevant with probability C(n-m, s) / C(n, s). Log-gamma
functions of large numbers would leave no digits in that ratio. With the smaller of m and s up to 32 it is a short
product; else Stirling's formula at z = n + 1/2, log n! = z log z - z + log √2π - ε(z), is written so that the large
terms cancel on paper.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

PRODUCT = 32  # factors multiplied one by one


def log_chance_of_none(items: np.ndarray, relevant: np.ndarray, slots: np.ndarray) -> np.ndarray:
    """Return the log of the probability that none of the first `slots` items is relevant; -inf if it is 0.

    `slots` need not be whole where `relevant` is at most 32 or `slots` above it: the formula is smooth in between.

    >>> np.exp(log_chance_of_none(np.array([5]), np.array([2]), np.array([1]))).round(10)
    array([0.6])
    """
    few, many = np.minimum(relevant, slots), np.maximum(relevant, slots)
    possible = (few == 0) | (relevant + slots <= items)
    log = np.where(possible, 0.0, -np.inf)
    short, long = possible & (few <= PRODUCT), possible & (few > PRODUCT)
    log[short] = _product(items[short], few[short], many[short])
    log[long] = _stirling(items[long], few[long], many[long])
    return log


def _product(items: np.ndarray, few: np.ndarray, many: np.ndarray) -> np.ndarray:
    log = np.zeros(len(items))
    for factor in range(int(few.max(initial=0))):
        log += np.log1p(np.where(factor < few, -many / np.maximum(items - factor, 1), 0.0))
    return log


def _stirling(items: np.ndarray, few: np.ndarray, many: np.ndarray) -> np.ndarray:
    z = items + 0.5
    rest = z - few - many
    log = (z - few) * np.log1p(-few / z) + (z - many) * np.log1p(-many / z) - rest * np.log1p(-(few + many) / z)
    return np.asarray(log - (_error(z - few) + _error(z - many) - _error(rest) - _error(z)))


def _error(z: np.ndarray) -> np.ndarray:
    """Return ε(z) of Stirling's formula for log (z - 1/2)!."""
    square = z * z
    series = (1 / 24 - (7 / 2880 - (31 / 40320 - 127 / 215040 / square) / square) / square) / z
    small = np.minimum(z, 30)
    exact = small * np.log(small) - small + np.log(2 * np.pi) / 2 - gammaln(small + 0.5)
    return np.asarray(np.where(z < 30, exact, series))
