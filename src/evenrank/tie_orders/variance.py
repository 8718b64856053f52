"""Mean and variance, over the orders of a tie group, of a sum over its relevant items and over pairs of them.

Let r_i be 1 if the item at rank i of the group (0, 1, …) is relevant. Average precision adds up, group by group,

    X = Σ_i u_i r_i + Σ_{j<i} w_i r_j r_i

with weights u, w that depend on the rank (`interpolation`). Which m of the n items come where is uniformly random, so
the mean of X needs two sums over the ranks and its variance four more, `Sums`; no order is ever drawn. Only the first s
ranks of a group that a cut-off falls into count; the number h of relevant items among them is hypergeometric, and
Var X = E Var(X | h) + Var E(X | h). Given h, adding a constant to u or w changes X by a constant: far down, where all
weights are nearly equal, the sums are taken of weights less their mean, which keeps the digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from evenrank.groups import Cells

TOLERANCE = 1e-10  # of a query's variance: what rounding may leave in it
CHUNK = 1 << 20  # ranks added up one by one at a time


class Sums(NamedTuple):
    """Sums over the ranks of a group that lie above the cut."""

    linear: np.ndarray  # Σ u_i
    linear_square: np.ndarray  # Σ u_i²
    pair: np.ndarray  # Σ i w_i: of w over all pairs
    pair_square: np.ndarray  # Σ i w_i²
    cross: np.ndarray  # Σ i u_i w_i + Σ_{j<i} u_j w_i: an item and a pair that holds it
    shared: np.ndarray  # of w w' over ordered pairs of pairs that share one item


class Weights(Protocol):
    """The weights of a metric."""

    def sums(self, before: np.ndarray, relevant_before: np.ndarray, slots: np.ndarray) -> Sums:
        """Return the sums over `slots` ranks behind rank `before`."""

    def drops(self, before: np.ndarray, relevant_before: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (u, w) at rank before + 1 + step, each up to a number that is the same at all ranks of a group."""


def moments(cells: Cells, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and variance of Σ over groups of X, (queries,) each; groups are shuffled independently."""
    sums = weights.sums(cells.before, cells.relevant_before, cells.slots)
    mean = cells.total(mean_of(cells.items, cells.relevant, sums))
    variance, rounding = variance_of(cells.items, cells.relevant, cells.slots, sums)
    for blurred in blurs(cells, variance, rounding):
        few = cells[blurred]
        exact = direct_sums(few.before, few.relevant_before, few.slots, weights)
        variance[blurred] = variance_of(few.items, few.relevant, few.slots, exact)[0]
    partial = np.flatnonzero(cells.slots < cells.items)
    variance[partial] += _variance_of_mean(cells[partial], sums.linear[partial], sums.pair[partial])
    return mean, np.maximum(cells.total(variance), 0)


def blurs(cells: Cells, variance: np.ndarray, rounding: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the cells whose rounding could be seen in the variance of their query, in parts for `direct_sums`."""
    limit = TOLERANCE * cells.total(variance)
    yield from parts(np.flatnonzero(rounding > limit[cells.query]), cells.slots)


def mean_of(items: np.ndarray, relevant: np.ndarray, sums: Sums) -> np.ndarray:
    """Return E X of each group: an item is relevant with probability m/n, a pair with m(m-1) / (n(n-1))."""
    one = relevant / np.maximum(items, 1)
    two = one * (relevant - 1) / np.maximum(items - 1, 1)
    return np.asarray(one * sums.linear + two * sums.pair)


def variance_of(
    items: np.ndarray, relevant: np.ndarray, slots: np.ndarray, sums: Sums
) -> tuple[np.ndarray, np.ndarray]:
    """Return E Var(X | h) of each group, and a bound of what rounding may have done to it.

    It is linear in the probabilities that one (two, three) given items are relevant and another one is not.
    """
    one = relevant * (items - relevant) / np.maximum(items * (items - 1), 1)
    two = one * (relevant - 1) / np.maximum(items - 2, 1)
    three = two * (relevant - 2) / np.maximum(items - 3, 1)
    linear = sums.linear / np.maximum(slots, 1)
    pair = sums.pair * sums.pair / np.maximum(slots * (slots - 1), 1)
    variance = one * (sums.linear_square - linear * sums.linear)
    variance += two * (2 * sums.cross - 4 * linear * sums.pair + sums.pair_square - 2 * pair)
    variance += three * (sums.pair_square + sums.shared - (4 * slots - 6) * pair)
    rounding = one * sums.linear_square + 4 * two * sums.linear + 4 * three * slots
    rounding *= np.finfo(float).eps
    return variance, rounding


def _variance_of_mean(cells: Cells, linear: np.ndarray, pair: np.ndarray) -> np.ndarray:
    """Return Var E(X | h) = Var(α h + β h(h - 1)) for groups that the cut falls into."""
    items, relevant, slots = cells.items, cells.relevant, cells.slots
    alpha, beta = linear / slots, pair / np.maximum(slots * (slots - 1), 1)
    one = slots * relevant / items  # E h
    two = one * (slots - 1) * (relevant - 1) / np.maximum(items - 1, 1)  # E h(h - 1)
    rest = (items - relevant) * (items - slots) / items
    product = 2 * relevant * items * slots - 3 * (relevant * items + relevant * slots + items * slots)
    product += items * items + 2 * items + 3 * (relevant + slots - 1)
    square = 2 * two * rest * product / np.maximum((items - 1) * (items - 2) * (items - 3), 1)
    square = np.where(items > 3, square, 2 * two - two * two)
    return np.asarray(
        alpha * alpha * one * rest / np.maximum(items - 1, 1)
        + 4 * alpha * beta * two * rest / np.maximum(items - 2, 1)
        + beta * beta * square
    )


def parts(chosen: np.ndarray, slots: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the chosen groups in parts of about as many ranks each, `CHUNK` in all; a far larger one is left out.

    How a group's ranks are added up depends on its own size alone, so no result depends on the queries around it.
    """
    chosen = chosen[(slots[chosen] > 0) & (slots[chosen] <= 4 * CHUNK)]
    width = padded(slots[chosen])
    for size in np.unique(width):
        alike, step = chosen[width == size], max(1, CHUNK // int(size))
        yield from (alike[first : first + step] for first in range(0, len(alike), step))


def padded(slots: np.ndarray) -> np.ndarray:
    """Return the next power of two, int64."""
    return np.asarray(2 ** np.ceil(np.log2(slots)), dtype=np.int64)


def direct_sums(before: np.ndarray, relevant_before: np.ndarray, slots: np.ndarray, weights: Weights) -> Sums:
    """Return the sums of weights less their mean, added up rank by rank; as `Weights.sums`, for the variance only.

    The groups are of one part, that is of one padded size.
    """
    i = np.arange(padded(slots).max(), dtype=float)
    inside = i < slots[:, None]  # (groups, ranks)
    u, w = (
        np.where(inside, value - (value.sum(axis=1, where=inside) / slots)[:, None], 0)
        for value in weights.drops(before[:, None], relevant_before[:, None], i)
    )

    def earlier(values: np.ndarray) -> np.ndarray:
        return np.asarray(np.cumsum(values, axis=1) - values)

    return Sums(
        linear=u.sum(axis=1),
        linear_square=(u * u).sum(axis=1),
        pair=(i * w).sum(axis=1),
        pair_square=(i * w * w).sum(axis=1),
        cross=(w * (i * u + earlier(u))).sum(axis=1),
        shared=(w * (i * (i - 1) * w + 4 * earlier(i * w))).sum(axis=1),
    )
