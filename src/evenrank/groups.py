"""Tie groups as a binary metric sees them: how many items and how many relevant ones, and how many came before.

Every binary metric is a formula over these four tables, written for all queries and groups at once.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
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
class Cells:
    """The tie groups that hold a relevant item and reach above a cut, of all queries end to end, by query.

    No other group adds to a sum over relevant items, and these are often few. `query` says whose each is, `place` where
    in the flattened tables, `slots` how many of its ranks are above the cut; the rest is as in `Groups`. All (cells,).
    """

    queries: int
    query: np.ndarray
    place: np.ndarray
    items: np.ndarray
    relevant: np.ndarray
    before: np.ndarray
    relevant_before: np.ndarray
    slots: np.ndarray

    def __getitem__(self, chosen: np.ndarray) -> Cells:
        """Return some of the cells."""
        return Cells(self.queries, *(getattr(self, field.name)[chosen] for field in fields(self)[1:]))

    def total(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of each query's cells, (queries,)."""
        held, starts = self._starts
        sums = np.zeros(self.queries)
        if len(starts):
            sums[held] = np.add.reduceat(values, starts)
        return sums

    @cached_property
    def _starts(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the queries that have cells, and where their cells begin."""
        count = np.bincount(self.query, minlength=self.queries)
        held = np.flatnonzero(count)
        return held, (np.cumsum(count) - count)[held]


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
        return np.asarray(np.cumsum(self.items, axis=1) - self.items)

    @cached_property
    def relevant_before(self) -> np.ndarray:
        """Return N_{d-1}⁺: relevant items in nearer groups."""
        return np.asarray(np.cumsum(self.relevant, axis=1) - self.relevant)

    @cached_property
    def total(self) -> np.ndarray:
        """Return the number of items of each query, (queries,)."""
        return np.asarray(self.items.sum(axis=1))

    @cached_property
    def total_relevant(self) -> np.ndarray:
        """Return N⁺, the number of relevant items of each query, (queries,)."""
        return np.asarray(self.relevant.sum(axis=1))

    def slots(self, cutoff: Cutoff) -> np.ndarray:
        """Return how many ranks of each group lie above the cut, (queries, groups)."""
        if cutoff.kind == "none":
            return self.items
        if cutoff.kind == "radius":
            return np.where(self.distances <= cutoff.value, self.items, 0.0)
        return np.asarray(np.clip(self.cut(cutoff)[:, None] - self.before, 0, self.items))

    def cut(self, cutoff: Cutoff) -> np.ndarray:
        """Return the rank of the cut for each query, (queries,): k, N⁺, or the number of items within the radius."""
        if cutoff.kind == "rank":
            return np.full(len(self.items), float(cutoff.value))
        if cutoff.kind == "relevant":
            return self.total_relevant
        return np.asarray(self.slots(cutoff).sum(axis=1))

    def cells(self, cutoff: Cutoff) -> Cells:
        """Return the groups that hold a relevant item and reach above the cut."""
        return self._all_cells if cutoff.kind == "none" else self._cells(cutoff)

    @cached_property
    def _all_cells(self) -> Cells:
        return self._cells(Cutoff())

    def _cells(self, cutoff: Cutoff) -> Cells:
        slots = self.slots(cutoff)
        held = (self.relevant > 0) & (slots > 0)
        place, query = np.flatnonzero(held), np.repeat(np.arange(len(held)), held.sum(axis=1))
        tables = (self.items, self.relevant, self.before, self.relevant_before, slots)
        return Cells(len(held), query, place, *(table.ravel()[place] for table in tables))

    def found(self, cutoff: Cutoff) -> Found:
        """Return the number of relevant items above the cut, over tie orders.

        Of a group with s slots above the cut it is hypergeometric; groups are shuffled independently.
        """
        cells = self.cells(cutoff)
        items, slots, irrelevant = cells.items, cells.slots, cells.items - cells.relevant
        expected = slots * cells.relevant / items
        variance = expected * irrelevant * (items - slots) / np.maximum(items * (items - 1), 1)
        return Found(
            cells.total(expected),
            cells.total(np.minimum(cells.relevant, slots)),
            cells.total(np.maximum(slots - irrelevant, 0)),
            np.sqrt(cells.total(variance)),
        )
