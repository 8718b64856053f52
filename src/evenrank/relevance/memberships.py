"""Rules in which items meet in named groups: classes, labels, values of attributes.

Both sides are sparse 0/1 matrices (items, groups); the level of a pair is the number of groups it shares, up to a cap.
Read by column, the database's matrix is the lists of relevant rows, which all queries share.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from evenrank.kernels.lists import Lists
from evenrank.relevance.relevance import Rows, chosen


class Memberships:
    """The groups of queries and of database items, `levels` the number of levels (0 included) that are told apart."""

    def __init__(self, queries: csr_array, database: csr_array, levels: int) -> None:
        self.queries = queries
        self.database = database
        self.levels = levels

    @property
    def shape(self) -> tuple[int, int]:
        """(queries, database items)."""
        return self.queries.shape[0], self.database.shape[0]

    @cached_property
    def rows_and_starts(self) -> tuple[np.ndarray, np.ndarray]:
        """Database rows group after group, and where each group begins."""
        columns = self.database.tocsc()
        return columns.indices.astype(np.int64), columns.indptr.astype(np.int64)

    def relevant(self, queries: Rows) -> Lists:
        """Return the shared lists and which of them each chosen query holds."""
        rows, starts = self.rows_and_starts
        held = self.queries if queries is None else self.queries[chosen(queries)]
        members = held.indices.astype(np.int64)
        return Lists(rows, starts, members, held.indptr.astype(np.int64), np.ones_like(members), self.levels)

    def block(self, queries: Rows, items: Rows) -> np.ndarray:
        """Return the number of groups that each pair shares, capped, (queries, items) int64."""
        shared = self.queries[chosen(queries)] @ self.database[chosen(items)].T
        level: np.ndarray = np.minimum(shared.toarray(), self.levels - 1, dtype=np.int64)
        return level

    def take(self, queries: Rows, items: Rows) -> Memberships:
        """Return the groups of some queries and database items; the lists are kept where the database is."""
        database = self.database if items is None else self.database[chosen(items)]
        part = Memberships(self.queries[chosen(queries)], database, self.levels)
        if items is None and "rows_and_starts" in self.__dict__:
            part.__dict__["rows_and_starts"] = self.rows_and_starts
        return part


def fixed_number(groups: np.ndarray, count: int) -> csr_array:
    """Return the matrix of items that are each in equally many groups: `groups` (n, each), all below `count`."""
    items, each = groups.shape
    # int32 where it fits is what scipy would convert to, at the price of a second pass
    dtype = np.int32 if max(count, groups.size) < 2**31 else np.int64
    starts = np.arange(0, groups.size + 1, each, dtype=dtype)
    return csr_array((np.ones(groups.size, np.int32), groups.astype(dtype).ravel(), starts), (items, count))
