"""Curves that need no ranks to be chosen beforehand: what `evaluate` keeps of every tally, small whatever the database.

CMC needs three numbers a query (of the first tie group that holds a relevant item). Precision-recall is taken at the
ends of tie groups, where no tie order matters: the precision after retrieving whole groups, nearest first, until the
share of relevant items found reaches each recall level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evenrank.cutoff import Cutoff
from evenrank.groups import Groups

RECALLS = np.arange(1, 101) / 100


class Curve(NamedTuple):
    """Points of a curve."""

    x: np.ndarray
    y: np.ndarray


def first_relevant(groups: Groups) -> np.ndarray:
    """Return (queries, 3): items before, items in and relevant items in the first group that holds a relevant item.

    All zero where there is none.
    """
    group = (groups.relevant > 0).argmax(axis=1)[:, None]
    tables = (groups.before, groups.items, groups.relevant)
    triple = np.concatenate([np.take_along_axis(table, group, axis=1) for table in tables], axis=1)
    return np.where(groups.total_relevant[:, None] > 0, triple, 0).astype(np.int64)


def precision_sums(groups: Groups) -> np.ndarray:
    """Return Σ over queries of the precision at each of `RECALLS`, (levels,); queries without relevant items give 0.

    A group end with precision p that takes a query from recall level i to level j contributes p to levels i + 1 … j,
    so two weighted histograms of level changes, summed up, are the curve: no loop over levels. (A small number makes
    29 % of 100 items 29 rather than 28.999….)
    """
    levels, cells = len(RECALLS), groups.cells(Cutoff())
    found = cells.relevant_before + cells.relevant
    precision = found / (cells.before + cells.items)
    share = levels / groups.total_relevant[cells.query]
    before, reached = (np.floor(count * share + 1e-9).astype(np.int64) for count in (cells.relevant_before, found))
    rise = np.bincount(before, precision, levels + 1) - np.bincount(reached, precision, levels + 1)
    return np.cumsum(rise)[:levels]
