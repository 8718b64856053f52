"""Relevant is what shares a label with the query: multi-label data."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from evenrank.kernels.lists import Lists
from evenrank.relevance.memberships import Memberships
from evenrank.relevance.nonzero import nonzero, refuse
from evenrank.relevance.relevance import Relevance, Rows


class SharedLabels(Relevance):
    """Level 1 where query and item share a label, or, if `graded`, the number of labels they share; one list a label.

    Labels are multi-hot, (n, labels) of 0 and 1 or booleans, dense or scipy sparse. The levels of `graded` reach from 0
    to the most labels that a pair could share: the fewer of the most that a query has and the most that an item has.

    >>> SharedLabels([[1, 1, 0]], [[1, 1, 1], [0, 1, 0], [0, 0, 1]], graded=True).block().tolist()
    [[2, 1, 0]]
    """

    def __init__(self, query_labels: Any, database_labels: Any, graded: bool = False) -> None:
        queries = _multi_hot(query_labels, "query_labels of SharedLabels")
        database = _multi_hot(database_labels, "database_labels of SharedLabels")
        if queries.shape[1] != database.shape[1]:
            raise ValueError(
                "query_labels and database_labels of SharedLabels must have equally many columns, one a label;"
                f" got {queries.shape[1]} and {database.shape[1]}"
            )
        most = min(int(np.diff(side.indptr).max()) for side in (queries, database)) if graded else 1
        self.levels = np.arange(max(most, 1) + 1)
        self._labels = Memberships(queries, database, len(self.levels))

    @property
    def shape(self) -> tuple[int, int]:
        """(queries, database items)."""
        return self._labels.shape

    def relevant(self, queries: Rows = None) -> Lists:
        """Return one list a label, shared by the queries that have it."""
        return self._labels.relevant(queries)

    def block(self, queries: Rows = None, items: Rows = None) -> np.ndarray:
        """Return the level index of every pair, (queries, items) int64."""
        return self._labels.block(queries, items)

    def take(self, queries: Rows = None, items: Rows = None) -> SharedLabels:
        """Return the rule on some queries and database items, with the same levels."""
        part = copy(self)
        part._labels = self._labels.take(queries, items)
        return part


def _multi_hot(values: Any, what: str) -> csr_array:
    labels = nonzero(values, what, hint=", one column a label is needed: for one label an item use SameLabel")
    refuse(labels, labels.data != 1, f"{what} must be 0 or 1")
    return labels.astype(np.int32)
