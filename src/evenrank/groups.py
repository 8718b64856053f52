"""Tie groups as a binary metric sees them: how many items and how many relevant ones, and how many came before.

Every binary metric is a formula over these four tables, written for all queries and groups at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evenrank.cutoff import Cutoff


class Found(NamedTuple):
    """How many relevant items lie above a cut, over tie orders, (queries,) each."""

    expected: np.ndarray
    most: np.ndarray
    fewest: np.ndarray
    deviation: np.ndarray


@dataclass(frozen=True)
class Groups:
    """Tie groups, nearest first, float64 tables of shape (queries, groups).

    `items` is n_d of the papers and `relevant` n_d⁺; `before` and `relevant_before` are N_{d-1} and N_{d-1}⁺.
    `distances` is (groups,) or (queries, groups).
    """

    items: np.ndarray
    relevant: np.ndarray
    distances: np.ndarray

    @cached_property
    def before(self) -> np.ndarray:
        """Return N_{d-1}: items in nearer groups."""
        return np.cumsum(self.items, axis=1) - self.items

    @cached_property
    def relevant_before(self) -> np.ndarray:
        """Return N_{d-1}⁺: relevant items in nearer groups."""
        return np.cumsum(self.relevant, axis=1) - self.relevant

    @cached_property
    def total(self) -> np.ndarray:
        """Return the number of items of each query, (queries,)."""
        return self.items.sum(axis=1)

    @cached_property
    def total_relevant(self) -> np.ndarray:
        """Return N⁺, the number of relevant items of each query, (queries,)."""
        return self.relevant.sum(axis=1)

    def slots(self, cutoff: Cutoff) -> np.ndarray:
        """Return how many ranks of each group lie above the cut, (queries, groups)."""
        if cutoff.kind == "none":
            return self.items
        if cutoff.kind == "radius":
            return np.where(self.distances <= cutoff.value, self.items, 0.0)
        return np.clip(self.cut(cutoff)[:, None] - self.before, 0, self.items)

    def cut(self, cutoff: Cutoff) -> np.ndarray:
        """Return the rank of the cut for each query, (queries,): k, N⁺, or the number of items within the radius."""
        if cutoff.kind == "rank":
            return np.full(len(self.items), float(cutoff.value))
        if cutoff.kind == "relevant":
            return self.total_relevant
        return self.slots(cutoff).sum(axis=1)

    def found(self, cutoff: Cutoff) -> Found:
        """Return the number of relevant items above the cut, over tie orders.

        Of a group with s slots above the cut it is hypergeometric; groups are shuffled independently.
        """
        slots = self.slots(cutoff)
        share = self.relevant / np.maximum(self.items, 1)
        irrelevant = self.items - self.relevant
        variance = slots * share * irrelevant * (self.items - slots) / np.maximum(self.items * (self.items - 1), 1)
        return Found(
            (slots * share).sum(axis=1),
            np.minimum(self.relevant, slots).sum(axis=1),
            np.maximum(slots - irrelevant, 0).sum(axis=1),
            np.sqrt(variance.sum(axis=1)),
        )
