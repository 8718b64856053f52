"""The contract of every rule: a level for each pair of query and database item.

Levels are whole numbers, 0 is irrelevant. Lists and blocks hold *indexes* into `levels`: levels 0, 1, 2, 5, 10 are the
indexes 0 … 4.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from evenrank.kernels.lists import Lists

Rows = slice | np.ndarray | Sequence[int] | None


class Relevance(ABC):
    """The affinity oracle: who is relevant to whom, and how much.

    `levels` are the values that levels can have, int64, ascending from 0; `shape` is (queries, database items).
    `threshold` is the smallest level that counts as relevant in a binary metric that does not say otherwise.
    A selection of rows is a slice, an array of row numbers, a mask, or None for all.
    """

    levels: np.ndarray
    threshold: int = 1

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """(queries, database items)."""

    @abstractmethod
    def relevant(self, queries: Rows = None) -> Lists:
        """Return the lists of relevant rows that the chosen queries hold."""

    @abstractmethod
    def take(self, queries: Rows = None, items: Rows = None) -> Relevance:
        """Return the same rule, with the same levels, on some queries and database items: a shard, a fold, a batch."""

    def block(self, queries: Rows = None, items: Rows = None) -> np.ndarray:
        """Return the level index of every pair, (queries, items) int64."""
        lists = self.relevant(queries)
        query, row, level = lists.pairs()
        dense: np.ndarray = csr_array((level, (query, row)), (lists.queries, self.shape[1]))[:, chosen(items)].toarray()
        return dense

    def __repr__(self) -> str:
        queries, database = self.shape
        levels = ", ".join(map(str, self.levels))
        return f"{type(self).__name__}({queries} queries, {database} database items, levels {levels})"


def chosen(rows: Rows) -> slice | np.ndarray:
    """Return a selection of rows in a form that indexes any array: a slice, or an integer array."""
    if rows is None or isinstance(rows, slice):
        return slice(None) if rows is None else rows
    numbers = np.asarray(rows)
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "biu"):
        raise ValueError(
            f"rows must be a slice, row numbers, a mask or None; got {numbers.dtype} of shape {numbers.shape}"
        )
    return np.flatnonzero(numbers) if numbers.dtype == bool else numbers.astype(np.int64)
