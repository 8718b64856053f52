"""Average precision divided by the number of relevant items above the cut (paper 2 Eq. 4, paper 3 Eq. 2).

The divisor depends on the tie order if the cut falls into a group: of the group's n items, m of them relevant, s lie
above the cut and h of those are relevant, where h is hypergeometric. Given h everything is as without a cut, so each
possible h is evaluated and weighed. Best and worst also try every h: more relevant items above the cut can lower the
ratio, so "relevant first" is not always best.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from evenrank.groups import Cells
from evenrank.kernels.lists import ramp
from evenrank.metric import Spread
from evenrank.tie_orders.interpolation import Step
from evenrank.tie_orders.variance import Sums, direct_sums, mean_of, moments, parts, variance_of

CHUNK = 1 << 18  # values of h evaluated at a time


class _Cut(NamedTuple):
    """What lies above the cut, (queries,) each: whole groups, and the group the cut falls into (all 0 if none)."""

    mean: np.ndarray  # of the sum of precisions in whole groups
    variance: np.ndarray
    best: np.ndarray
    worst: np.ndarray
    before: np.ndarray  # items before the cut group
    found: np.ndarray  # relevant items in whole groups
    items: np.ndarray  # n, m and s of the cut group
    relevant: np.ndarray
    slots: np.ndarray

    @property
    def fewest(self) -> np.ndarray:
        return np.asarray(np.maximum(self.slots - (self.items - self.relevant), 0))

    @property
    def most(self) -> np.ndarray:
        return np.asarray(np.minimum(self.slots, self.relevant))

    def take(self, queries: np.ndarray | slice) -> _Cut:
        return _Cut(*(values[queries] for values in self))


def retrieved_precision(cells: Cells) -> Spread:
    """Return the spread of the mean precision at the relevant ranks above the cut; 0 if there are none."""
    cut = _cut(cells)
    choices = cut.most - cut.fewest + 1
    part = np.cumsum(choices) // CHUNK
    bounds = [0, *(np.flatnonzero(np.diff(part)) + 1), len(part)]
    pieces = [_weigh(cut.take(slice(a, b))) for a, b in pairwise(bounds) if b > a]
    return Spread(*(np.concatenate(values) for values in zip(*pieces, strict=True))) if pieces else Spread(*cut[:4])


def _cut(cells: Cells) -> _Cut:
    whole, partial = cells[cells.slots == cells.items], cells[cells.slots < cells.items]
    mean, variance = moments(whole, Step())
    irrelevant = whole.items - whole.relevant
    best = whole.total(Step().total(whole.before, whole.relevant_before, whole.relevant))
    worst = whole.total(Step().total(whole.before + irrelevant, whole.relevant_before, whole.relevant))
    group = (partial.total(table) for table in (partial.items, partial.relevant, partial.slots))  # at most one a query
    return _Cut(mean, variance, best, worst, partial.total(partial.before), whole.total(whole.relevant), *group)


def _weigh(cut: _Cut) -> Spread:
    choices = (cut.most - cut.fewest + 1).astype(np.int64)
    start = np.cumsum(choices) - choices
    each = cut.take(np.repeat(np.arange(len(choices)), choices))
    h = each.fewest + ramp(choices)
    chance = _hypergeometric(each, h, start, choices)
    sums, exact = _sums(cut, np.repeat(np.arange(len(choices)), choices))
    divisor = np.maximum(each.found + h, 1)
    mean = (each.mean + mean_of(each.slots, h, sums)) / divisor
    variance = (each.variance + variance_of(each.slots, h, each.slots, exact)[0]) / divisor**2
    best = (each.best + Step().total(each.before, each.found, h)) / divisor
    worst = (each.worst + Step().total(each.before + each.slots - h, each.found, h)) / divisor
    expected = np.add.reduceat(chance * mean, start)
    between = (mean - np.repeat(expected, choices)) ** 2
    deviation = np.sqrt(np.maximum(np.add.reduceat(chance * (variance + between), start), 0))
    return Spread(expected, np.maximum.reduceat(best, start), np.minimum.reduceat(worst, start), deviation)


def _sums(cut: _Cut, query: np.ndarray) -> tuple[Sums, Sums]:
    """Return the sums of the cut groups, as the mean needs them and, rank by rank where few, as the variance does."""
    sums = Step().sums(cut.before, cut.found, cut.slots)
    exact = Sums(*(part.copy() for part in sums))
    few = (cut.slots <= 16) | (16 * cut.slots < cut.before)
    for cells in parts(np.flatnonzero(few), cut.slots):
        direct = direct_sums(cut.before[cells], cut.found[cells], cut.slots[cells], Step())
        for part, values in zip(exact, direct, strict=True):
            part[cells] = values
    return Sums(*(part[query] for part in sums)), Sums(*(part[query] for part in exact))


def _hypergeometric(each: _Cut, h: np.ndarray, start: np.ndarray, choices: np.ndarray) -> np.ndarray:
    """Return the probability of each h, scaled to sum to 1 a query, which takes out what rounding they share."""
    others, below = each.items - each.relevant, each.slots - h
    log = -gammaln(h + 1) - gammaln(each.relevant - h + 1) - gammaln(below + 1) - gammaln(others - below + 1)
    chance = np.exp(log - np.repeat(np.maximum.reduceat(log, start), choices))
    return np.asarray(chance / np.repeat(np.add.reduceat(chance, start), choices))
