"""Soft histograms of inner products, and their slopes: each pair touches only the bins its triangle covers.

A pair with inner product s lies at place p = bins/2 · (1 − s/norm) on a line whose bins are at 0, 1, …, bins. Bin l
gets the weight max(0, 1 − |p − l|/reach) / reach, which adds up to one over the bins for a whole `reach`.

For the usual reach of 1 a pair between bins l and l + 1 gives them 1 − f and f, f being its offset from l. So it is
enough to know how many pairs lie in each such cell, and their total offset: one addition of each a pair, not two
weights. Pairs that do not count go to a level of their own, which spares a branch.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

IGNORED = 255  # the level index of a pair that does not count


@njit(cache=True, nogil=True, fastmath={"contract"})
def soft_histograms(
    products: np.ndarray, levels: np.ndarray, norm: float, bins: int, reach: float, counts: np.ndarray
) -> None:
    """Add pairs to `counts` (rows, bins + 1, levels) float64; `products` and `levels` uint8 are (rows, items)."""
    half = bins / 2
    scale = half / norm
    last = counts.shape[2]
    number, offset = np.empty((bins + 1, last + 1), np.int64), np.empty((bins + 1, last + 1))
    for row in range(len(products)):
        if reach != 1:
            wide_histogram(products[row], levels[row], half, scale, reach, counts[row])
            continue
        number[:], offset[:] = 0, 0
        for item in range(products.shape[1]):
            level = min(levels[row, item], last)
            place = half - scale * products[row, item]
            cell = min(max(int(place), 0), bins)
            number[cell, level] += 1
            offset[cell, level] += place - cell
        for near in range(bins + 1):
            for level in range(last):
                counts[row, near, level] += number[near, level] - offset[near, level]
                if near:
                    counts[row, near, level] += offset[near - 1, level]


@njit(cache=True, nogil=True)
def wide_histogram(
    products: np.ndarray, levels: np.ndarray, half: float, scale: float, reach: float, counts: np.ndarray
) -> None:
    """Add one row of pairs to `counts` (bins + 1, levels), for triangles of any width."""
    for item in range(len(products)):
        if levels[item] != IGNORED:
            place = half - scale * products[item]
            for near in range(max(0, math.ceil(place - reach)), min(len(counts) - 1, math.floor(place + reach)) + 1):
                counts[near, levels[item]] += (1 - abs(place - near) / reach) / reach


@njit(cache=True, nogil=True, fastmath={"contract"})
def soft_slopes(
    products: np.ndarray,
    levels: np.ndarray,
    norm: float,
    bins: int,
    reach: float,
    gradient: np.ndarray,
    slopes: np.ndarray,
) -> None:
    """Set `slopes` (rows, items) to the derivative by each inner product; `gradient` is that by the counts.

    At the tip and at the ends of a triangle, where it has two slopes, the slope is 0.
    """
    half = bins / 2
    scale = half / norm
    last = gradient.shape[2]
    steps = np.zeros((bins + 1, last + 1))
    for row in range(len(products)):
        if reach != 1:
            wide_slopes(products[row], levels[row], half, scale, reach, gradient[row], slopes[row])
            continue
        for cell in range(bins):
            for level in range(last):
                steps[cell, level] = (gradient[row, cell, level] - gradient[row, cell + 1, level]) * scale
        for item in range(products.shape[1]):
            place = half - scale * products[row, item]
            cell = min(max(int(place), 0), bins)
            slopes[row, item] = steps[cell, min(levels[row, item], last)] if place != cell else 0.0


@njit(cache=True, nogil=True)
def wide_slopes(
    products: np.ndarray,
    levels: np.ndarray,
    half: float,
    scale: float,
    reach: float,
    gradient: np.ndarray,
    slopes: np.ndarray,
) -> None:
    """Set one row of `slopes`, for triangles of any width."""
    for item in range(len(products)):
        slope = 0.0
        if levels[item] != IGNORED:
            place = half - scale * products[item]
            first, end = math.floor(place - reach) + 1, math.ceil(place + reach)
            for near in range(max(0, first), min(len(gradient), end)):
                slope += gradient[near, levels[item]] * ((place > near) - (place < near))
        slopes[item] = slope * scale / (reach * reach)
