"""The tally: how many database items of each level lie in each tie group, nearest group first.

Any metric that depends on the sequence of levels by rank has a distribution over tie orders (mean, best, worst,
variance) that is a function of this table alone. Kernels only build tallies, metrics only read them; tallies of
database shards add up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from evenrank.groups import Groups


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of items by query, tie group and level.

    `counts` (queries, groups, levels) integers; `levels` ascending integers, the first is 0; `distances` of the groups,
    (groups,) where all queries share them (Hamming: 0 … bits, empty groups kept) or (queries, groups); `threshold` is
    the smallest level that binary metrics count as relevant where they are not told.

    >>> tally = Tally([[[1, 1], [1, 2], [0, 0], [3, 1]]], levels=[0, 1], distances=[0, 1, 2, 3])
    >>> int((tally + tally).counts.sum())
    18
    """

    counts: np.ndarray
    levels: np.ndarray
    distances: np.ndarray
    threshold: int = 1
    _groups: dict[int, Groups] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in ("counts", "levels", "distances"):
            object.__setattr__(self, name, np.asarray(getattr(self, name)))
        if self.counts.ndim != 3 or self.counts.shape[2] != len(self.levels):
            raise ValueError(
                f"counts of Tally must have shape (queries, groups, {len(self.levels)} levels); got {self.counts.shape}"
            )
        if self.distances.shape not in (self.counts.shape[1:2], self.counts.shape[:2]):
            raise ValueError(f"distances of Tally must have one entry a group; got shape {self.distances.shape}")

    def __len__(self) -> int:
        return len(self.counts)

    def __add__(self, other: Tally) -> Tally:
        """Return the tally of two database shards together."""
        same = np.array_equal(self.levels, other.levels) and np.array_equal(self.distances, other.distances)
        if not same or self.counts.shape != other.counts.shape:
            raise ValueError("tallies add up only if their queries, levels and distances are equal")
        return Tally(self.counts + other.counts, self.levels, self.distances, self.threshold)

    def __getitem__(self, queries: slice | np.ndarray) -> Tally:
        """Return the tally of some of the queries."""
        distances = self.distances[queries] if self.distances.ndim == 2 else self.distances
        return Tally(self.counts[queries], self.levels, distances, self.threshold)

    def groups(self, rel: int | None = None) -> Groups:
        """Return the tie groups of a binary metric that counts levels of at least `rel` as relevant."""
        rel = self.threshold if rel is None else rel
        if rel not in self._groups:
            first = int(np.searchsorted(self.levels, rel))
            relevant = self._sum(range(first, len(self.levels)))
            self._groups[rel] = Groups(relevant + self._sum(range(first)), relevant, self.distances)
        return self._groups[rel]

    def _sum(self, levels: range) -> np.ndarray:
        """Return the counts of some levels together, (queries, groups) float64."""
        total = np.zeros(self.counts.shape[:2])
        for level in levels:  # a sum over the short last axis would take longer
            total += self.counts[:, :, level]
        return total


def concatenate(tallies: Iterable[Tally]) -> Tally:
    """Return the tally of query blocks one after the other; narrower blocks are padded with empty groups."""
    blocks = list(tallies)
    width = max(block.counts.shape[1] for block in blocks)
    counts = np.concatenate([_widen(block.counts, width, 0) for block in blocks])
    distances = blocks[0].distances
    if distances.ndim == 2:
        distances = np.concatenate([_widen(block.distances, width, np.inf) for block in blocks])
    return Tally(counts, blocks[0].levels, distances, blocks[0].threshold)


def _widen(table: np.ndarray, width: int, fill: float) -> np.ndarray:
    padding = [(0, 0)] * table.ndim
    padding[1] = (0, width - table.shape[1])
    return np.pad(table, padding, constant_values=fill)
