"""Relevant are a query's k nearest neighbours in a space of features."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from scipy.sparse import csr_array, vstack

from evenrank.embeddings import Embeddings, FixedPoint, fixed_point
from evenrank.kernels.lists import Lists
from evenrank.relevance.features import as_features, check_dimensions, key_sums
from evenrank.relevance.judged import judged_lists, judged_part
from evenrank.relevance.memberships import fixed_number
from evenrank.relevance.relevance import Relevance, Rows

QUERIES = 512  # searched at once


class NearestCount(Relevance):
    """Level 1 for the `k` database items nearest to the query by (distance, row), searched once, when made.

    `distance` is "euclidean", "cosine" or "dot". Equal distances are equal exactly, so blocks and threads change
    nothing.

    >>> import numpy as np
    >>> NearestCount(np.array([[0.0]]), np.array([[3.0], [1.0], [-1.0], [1.0]]), k=2).block().tolist()
    [[0, 1, 1, 0]]
    """

    def __init__(self, query_features: Any, database_features: Any, k: int, distance: str = "euclidean") -> None:
        queries = as_features(query_features, "query_features of NearestCount", distance)
        database = as_features(database_features, "database_features of NearestCount", distance)
        check_dimensions("NearestCount", query_features=queries, database_features=database)
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or not 1 <= k <= len(database):
            raise ValueError(f"k of NearestCount must be a whole number from 1 to {len(database)} rows; got {k!r}")
        self.levels = np.array([0, 1])
        self.k = int(k)
        fixed = fixed_point(queries, database)
        blocks = (queries[first : first + QUERIES] for first in range(0, len(queries), QUERIES))
        nearest = [fixed_number(_search(fixed, block, database, self.k), len(database)) for block in blocks]
        self._judged: csr_array = vstack(nearest, format="csr")

    @property
    def shape(self) -> tuple[int, int]:
        """(queries, database items)."""
        queries, database = self._judged.shape
        return queries, database

    def relevant(self, queries: Rows = None) -> Lists:
        """Return one list a query."""
        return judged_lists(judged_part(self._judged, queries), 2)

    def take(self, queries: Rows = None, items: Rows = None) -> NearestCount:
        """Return who is relevant among some items, which is decided by the whole database: fewer than k may be left."""
        part = copy(self)
        part._judged = judged_part(self._judged, queries, items)
        return part


def _search(fixed: FixedPoint, queries: Embeddings, database: Embeddings, k: int) -> np.ndarray:
    """Return the rows nearest to each query, (queries, k), ascending, keeping the k best of the tiles seen so far."""
    best, rows = np.empty((len(queries), 0)), np.empty((len(queries), 0), np.int64)
    for first, sums in key_sums(fixed, queries, database):
        fresh = np.broadcast_to(np.arange(first, first + sums.shape[1]), sums.shape)
        best, rows = _nearest(np.hstack((best, sums)), np.hstack((rows, fresh)), k)
    return rows


def _nearest(sums: np.ndarray, rows: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the k smallest of each line with their rows, in the order given: by row, so the first of equals stay."""
    if sums.shape[1] <= k:
        return sums, rows
    edge = np.partition(sums, k - 1, axis=1)[:, k - 1, None]
    below, equal = sums < edge, sums == edge
    spare = k - below.sum(axis=1, keepdims=True)
    keep = below | (equal & (np.cumsum(equal, axis=1) <= spare))
    return sums[keep].reshape(-1, k), rows[keep].reshape(-1, k)
