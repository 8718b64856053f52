"""Relevant is what has the query's label: single-label data."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from evenrank.kernels.lists import Lists
from evenrank.relevance.labels import number, one_label_each
from evenrank.relevance.memberships import Memberships, fixed_number
from evenrank.relevance.relevance import Relevance, Rows, chosen


class SameLabel(Relevance):
    """Level 1 where the labels, integers or words, are equal; one list of rows a class.

    >>> SameLabel(["cat", "owl"], ["owl", "cat", "cat"]).block().tolist()
    [[0, 1, 1], [1, 0, 0]]
    """

    def __init__(self, query_labels: Any, database_labels: Any) -> None:
        self.levels = np.array([0, 1])
        self.query_labels = one_label_each(query_labels, "query_labels of SameLabel")
        self.database_labels = one_label_each(database_labels, "database_labels of SameLabel")
        queries, database, count = number(self.query_labels, self.database_labels, "labels of SameLabel")
        self._classes = Memberships(fixed_number(queries[:, None], count), fixed_number(database[:, None], count), 2)

    @property
    def shape(self) -> tuple[int, int]:
        """(queries, database items)."""
        return self._classes.shape

    def relevant(self, queries: Rows = None) -> Lists:
        """Return one list a class, shared by its queries; the rows are the same arrays at every call."""
        return self._classes.relevant(queries)

    def block(self, queries: Rows = None, items: Rows = None) -> np.ndarray:
        """Return the level index of every pair, (queries, items) int64."""
        query, item = self._classes.queries.indices, self._classes.database.indices  # one class an item
        same: np.ndarray = np.equal.outer(query[chosen(queries)], item[chosen(items)])
        return same.astype(np.int64)

    def take(self, queries: Rows = None, items: Rows = None) -> SameLabel:
        """Return the rule on some queries and database items."""
        part = copy(self)
        part.query_labels = self.query_labels[chosen(queries)]
        part.database_labels = self.database_labels[chosen(items)]
        part._classes = self._classes.take(queries, items)
        return part
