"""Discounted cumulative gain of tie groups: gains by level, discounts by rank.

In a shuffled group every item meets every rank with the same chance, so the mean is the mean gain times the sum of
discounts, and the variance the product of how much gains scatter and how much discounts do. Gains are taken relative to
the largest, so that 2^1000 - 1 can be squared.
"""

from __future__ import annotations

import numpy as np

from evenrank.cutoff import Cutoff
from evenrank.groups import Cells
from evenrank.metric import Spread
from evenrank.tally import Tally
from evenrank.tie_orders.partial_sums import Function, drop, run_sum
from evenrank.tie_orders.variance import blurs, padded

LARGEST = 1000  # level with an exponential gain: 2^1024 is no float64
DISCOUNTS: dict[str, tuple[Function, Function]] = {
    "log2": ("log2", "log2_square"),
    "reciprocal": ("reciprocal", "reciprocal_square"),
}


def gains_of(levels: np.ndarray, gain: str) -> tuple[np.ndarray, float]:
    """Return the gain of each level relative to the largest, and the largest: 2^level - 1, or the level itself."""
    if gain == "exponential" and levels.max() > LARGEST:
        raise ValueError(f"gain=exponential takes levels up to {LARGEST}; got {levels.max()}: use gain=linear")
    gains = 2.0**levels - 1 if gain == "exponential" else levels.astype(float)
    scale = max(float(gains.max()), 1.0)
    return gains / scale, scale


def discounted_gain(tally: Tally, gains: np.ndarray, discount: str, cutoff: Cutoff) -> Spread:
    """Return DCG of each query over tie orders, for relative `gains`."""
    cells = tally.groups(1).cells(cutoff)  # items of level 0 gain nothing
    counts = [tally.counts[:, :, level].reshape(-1)[cells.place].astype(float) for level in range(len(gains))]
    total = run_sum(DISCOUNTS[discount][0], cells.before, cells.slots)
    mean = sum((gain * count for gain, count in zip(gains, counts, strict=True)), np.zeros(len(total))) / cells.items
    scatter = sum((count * (gain - mean) ** 2 for gain, count in zip(gains, counts, strict=True)), np.zeros(len(total)))
    scatter = scatter / np.maximum(cells.items - 1, 1)
    variance = cells.total(scatter * _discount_scatter(cells, discount, total, scatter))
    return Spread(
        cells.total(mean * total),
        cells.total(_in_order(cells, counts[::-1], gains[::-1], discount)),
        cells.total(_in_order(cells, counts, gains, discount)),
        np.sqrt(variance),
    )


def ideal_gain(tally: Tally, gains: np.ndarray, discount: str, cutoff: Cutoff) -> np.ndarray:
    """Return DCG of the best ranking of all items, (queries,)."""
    totals = [tally.counts[:, :, level].sum(axis=1) for level in range(len(gains))]
    whole = Tally(np.stack(totals, axis=1)[:, None], tally.levels, np.zeros(1))
    cells = whole.groups(1).cells(cutoff)
    counts = [total[cells.query].astype(float) for total in totals]
    return cells.total(_in_order(cells, counts[::-1], gains[::-1], discount))


def _in_order(cells: Cells, counts: list[np.ndarray], gains: np.ndarray, discount: str) -> np.ndarray:
    """Return what each cell gains if its items come level after level in the order given, (cells,)."""
    gained, passed = np.zeros(len(cells.items)), np.zeros(len(cells.items))
    for count, gain in zip(counts, gains, strict=True):
        if gain:
            above = np.clip(cells.slots - passed, 0, count)
            gained += gain * run_sum(DISCOUNTS[discount][0], cells.before + passed, above)
        passed += count
    return gained


def _discount_scatter(cells: Cells, discount: str, total: np.ndarray, gain_scatter: np.ndarray) -> np.ndarray:
    """Return Σ (D - mean)² over all ranks of each cell, where D is 0 below the cut.

    Above the cut it is Σ D² - (Σ D)²/s, a small difference far down: there it is added up rank by rank, if what
    rounding leaves could be seen in the query's variance.
    """
    square = run_sum(DISCOUNTS[discount][1], cells.before, cells.slots)
    above = square - total * total / cells.slots
    below = total * total * (cells.items - cells.slots) / (cells.slots * cells.items)
    variance, rounding = gain_scatter * (above + below), gain_scatter * square * np.finfo(float).eps
    for blurred in blurs(cells, variance, rounding):
        size = cells.slots[blurred, None]
        rank = np.arange(padded(size).max())
        value = drop(DISCOUNTS[discount][0], cells.before[blurred, None], rank)
        mean = value.sum(axis=1, keepdims=True, where=rank < size) / size
        above[blurred] = ((value - mean) ** 2).sum(axis=1, where=rank < size)
    return np.asarray(np.maximum(above, 0) + below)
