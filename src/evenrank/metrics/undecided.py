"""Undecided: whether the ranking says what comes first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenrank.metric import Metric, Spread
from evenrank.tally import Tally


@dataclass(frozen=True)
class Undecided(Metric):
    """1 if the first tie group holds items of more than one level, so that chance decides about rank 1; else 0.

    >>> tally = Tally([[[0, 0], [1, 2]], [[0, 2], [1, 2]]], levels=[0, 1], distances=[0, 1])
    >>> Undecided().spread(tally).expected
    array([1., 0.])
    """

    names: ClassVar[tuple[str, ...]] = ("Undecided", "first_rank_undecided")

    @property
    def needs_relevant(self) -> bool:
        """Return False: without relevant items there is nothing to decide."""
        return False

    def spread(self, tally: Tally) -> Spread:
        """Return 1 or 0 for each query; no tie order changes it."""
        first = (tally.groups().items > 0).argmax(axis=1)
        levels = (tally.counts[np.arange(len(tally)), first] > 0).sum(axis=1)
        mixed = (levels > 1).astype(float)
        return Spread(mixed, mixed, mixed, np.zeros(len(tally)))
