"""Tied pairs: how much of the order a ranking leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenrank.metric import Metric, Spread
from evenrank.tally import Tally


@dataclass(frozen=True)
class TiedPairs(Metric):
    """Number of pairs of items of different level that lie in one tie group: the orders that a metric could notice.

    >>> tally = Tally([[[1, 1], [1, 2], [0, 0], [3, 1]]], levels=[0, 1], distances=[0, 1, 2, 3])
    >>> TiedPairs().spread(tally).expected
    array([6.])
    """

    names: ClassVar[tuple[str, ...]] = ("TiedPairs", "tied_pairs")

    @property
    def needs_relevant(self) -> bool:
        """Return False: without relevant items no pair differs."""
        return False

    def spread(self, tally: Tally) -> Spread:
        """Return the number for each query; no tie order changes it."""
        pairs, lower = np.zeros(len(tally)), tally.counts[:, :, 0].astype(float)
        for level in range(1, len(tally.levels)):
            items = tally.counts[:, :, level]
            pairs += np.einsum("qg,qg->q", items, lower)
            lower += items
        return Spread(pairs, pairs, pairs, np.zeros(len(tally)))
