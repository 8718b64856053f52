"""The more attributes two items have in common, the more relevant: colour, shape, size, … (paper 3)."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from evenrank.arrays import as_array
from evenrank.kernels.lists import Lists
from evenrank.relevance.labels import number, whole_numbers
from evenrank.relevance.memberships import Memberships, fixed_number
from evenrank.relevance.relevance import Relevance, Rows


class MatchingAttributes(Relevance):
    """Level = number of attributes that are equal (paper 3, Eq. 8); one list a column and value.

    Attributes are integers, (n, columns). Average precision counts an item as relevant where *all* are equal (paper 3,
    Eq. 4): `threshold` is the number of columns, or `relevant_from` if given.

    >>> matching = MatchingAttributes([[1, 0, 2]], [[1, 0, 2], [1, 1, 1], [0, 1, 0]])
    >>> matching.block().tolist(), matching.threshold
    ([[3, 1, 0]], 3)
    """

    def __init__(self, query_attributes: Any, database_attributes: Any, relevant_from: int | None = None) -> None:
        queries = _attributes(query_attributes, "query_attributes of MatchingAttributes")
        database = _attributes(database_attributes, "database_attributes of MatchingAttributes")
        columns = queries.shape[1]
        if columns != database.shape[1]:
            raise ValueError(
                "query_attributes and database_attributes of MatchingAttributes must have equally many columns;"
                f" got {columns} and {database.shape[1]}"
            )
        if relevant_from is not None and not 1 <= relevant_from <= columns:
            raise ValueError(
                f"relevant_from of MatchingAttributes must be a level from 1 to {columns}; got {relevant_from!r}"
            )
        self.levels = np.arange(columns + 1)
        self.threshold = columns if relevant_from is None else relevant_from
        self._values = _numbered(queries, database)

    @property
    def shape(self) -> tuple[int, int]:
        """(queries, database items)."""
        return self._values.shape

    def relevant(self, queries: Rows = None) -> Lists:
        """Return one list a column and value, shared by the queries that have it."""
        return self._values.relevant(queries)

    def block(self, queries: Rows = None, items: Rows = None) -> np.ndarray:
        """Return the level index of every pair, (queries, items) int64."""
        return self._values.block(queries, items)

    def take(self, queries: Rows = None, items: Rows = None) -> MatchingAttributes:
        """Return the rule on some queries and database items."""
        part = copy(self)
        part._values = self._values.take(queries, items)
        return part


def _attributes(values: Any, what: str) -> np.ndarray:
    attributes = as_array(values, what)
    if attributes.ndim != 2:
        raise ValueError(f"{what} must be 2-D, one column an attribute; got shape {attributes.shape}")
    return whole_numbers(attributes, what)


def _numbered(queries: np.ndarray, database: np.ndarray) -> Memberships:
    """Return the memberships in which every value of every column is a group, column after column."""
    sides = np.empty(queries.shape, np.int64), np.empty(database.shape, np.int64)
    count = 0
    for column in range(queries.shape[1]):
        query, item, values = number(queries[:, column], database[:, column], "attributes of MatchingAttributes")
        sides[0][:, column], sides[1][:, column] = query + count, item + count
        count += values
    return Memberships(fixed_number(sides[0], count), fixed_number(sides[1], count), queries.shape[1] + 1)
