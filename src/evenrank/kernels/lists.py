"""Relevance as plain arrays: lists of database rows, and which of them each query holds.

Row i has for query q the level index `min(levels - 1, sum of the weights of q's lists that contain i)`. One form serves
every rule: classes are disjoint lists of weight 1 that queries share; labels of multi-label data are overlapping shared
lists, capped at one level ("any") or not ("counted"); graded judgements are one list a query and level, with the level
index as weight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Lists(NamedTuple):
    """Lists of relevant rows, and the lists each query holds; int64 arrays throughout."""

    rows: np.ndarray  # database rows, list after list, ascending inside a list
    starts: np.ndarray  # (lists + 1,) where each list begins in `rows`
    members: np.ndarray  # list numbers, query after query
    member_starts: np.ndarray  # (queries + 1,) where each query begins in `members`
    weights: np.ndarray  # what each membership adds to the level index, same shape as `members`
    levels: int  # number of levels, the irrelevant one included

    @property
    def queries(self) -> int:
        """Return the number of queries."""
        return len(self.member_starts) - 1

    @property
    def sole(self) -> bool:
        """Return whether every query holds one list at the most."""
        return bool(np.all(np.diff(self.member_starts) <= 1))

    def within(self, first: int, last: int) -> Lists:
        """Return the lists restricted to rows first … last - 1, renumbered from 0 (a database shard)."""
        keep = (self.rows >= first) & (self.rows < last)
        kept = np.concatenate(([0], np.cumsum(keep)))
        return self._replace(rows=self.rows[keep] - first, starts=kept[self.starts])

    def levels_at(self, rows: np.ndarray, database: int) -> np.ndarray:
        """Return the level index of one row for each query, (queries,); `database` is the number of rows there are."""
        list_of_entry = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        entries = list_of_entry * database + self.rows  # ascending
        holder = np.repeat(np.arange(self.queries), np.diff(self.member_starts))
        wanted = self.members * database + rows[holder]
        place = np.minimum(np.searchsorted(entries, wanted), max(len(entries) - 1, 0))
        held = entries[place] == wanted if len(entries) else np.zeros(len(wanted), bool)
        levels = np.bincount(holder, weights=self.weights * held, minlength=self.queries).astype(np.int64)
        return np.minimum(levels, self.levels - 1)

    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return every relevant pair once: (query, row, level index), by query, then row."""
        lengths = np.diff(self.starts)[self.members]
        first = np.repeat(self.starts[self.members], lengths)
        rows = self.rows[first + ramp(lengths)]
        holder = np.repeat(np.arange(self.queries), np.diff(self.member_starts))
        query = np.repeat(holder, lengths)
        weight = np.repeat(self.weights, lengths)
        if self.sole:  # no row comes twice
            return query, rows, np.minimum(weight, self.levels - 1)
        order = np.lexsort((rows, query))
        query, rows, weight = query[order], rows[order], weight[order]
        fresh = np.ones(len(query), bool)
        fresh[1:] = (query[1:] != query[:-1]) | (rows[1:] != rows[:-1])
        start = np.flatnonzero(fresh)
        level = np.add.reduceat(weight, start) if len(start) else weight
        return query[start], rows[start], np.minimum(level, self.levels - 1)


def ramp(lengths: np.ndarray) -> np.ndarray:
    """Return 0 … n - 1 for each n in `lengths`, end to end."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
