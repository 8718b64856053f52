"""The k nearest rows of every query, in tie groups.

Rows at one distance are one group; their order in the answer is that of the database, and means nothing. Where the k-th
place falls inside a group, which of its rows are listed is therefore arbitrary, so every place says how many rows of
the whole database tie with it.

Keys are exact, Hamming distances or the fixed-point keys of `embeddings`: what ties here ties in `evaluate`. They are
computed for a piece of the database and a few queries at a time; beyond that, memory holds the answer alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenrank.codes import Codes
from evenrank.counting.keys import _distances as hamming_distances
from evenrank.counting.keys import _words as word_columns
from evenrank.embeddings import Embeddings, fixed_point

ROWS = 1 << 16  # of the database in a piece, at most
BYTES = 64 << 20  # of a piece of embeddings, at most
QUERIES = 64  # multiplied with a piece at a time

Items = Codes | Embeddings
Keys = Iterator[tuple[int, int, np.ndarray]]  # (query, first row, keys of consecutive rows); rows ascend


class Group(NamedTuple):
    """Rows at one distance: those listed, ascending, of `size` in the whole database."""

    distance: float
    size: int
    rows: np.ndarray

    @property
    def cut(self) -> bool:
        """Return whether there are more rows than are listed."""
        return len(self.rows) < self.size


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Three arrays (queries, k), nearest first: database rows, their distances, and the sizes of their tie groups.

    `neighbours[query]` is the same as a list of groups.
    """

    rows: np.ndarray
    distances: np.ndarray
    sizes: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, query: int) -> list[Group]:
        rows, distances, sizes = self.rows[query], self.distances[query], self.sizes[query]
        groups, place = [], 0
        while place < len(rows):
            size = int(sizes[place])
            groups.append(Group(distances[place].item(), size, rows[place : place + size]))
            place += size
        return groups


def search(
    queries: Items, database: Items, k: int = 10, *, progress: Callable[[int, int], None] | None = None
) -> Neighbours:
    """Return the k nearest database rows of every query; all of them if there are no more than k.

    >>> codes = Codes.from_bits([[0, 0], [0, 1], [1, 1], [1, 0]])
    >>> search(codes[0], codes, k=2)[0]
    [Group(distance=0, size=1, rows=array([0])), Group(distance=1, size=2, rows=array([1]))]
    """
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise ValueError(f"k of search must be a whole number of at least 1; got {k!r}")
    pairs = _pairs(queries, database)
    nearest = _Nearest(len(queries), min(int(k), len(database)))
    for query, row, keys in pairs:
        nearest.add(query, row, keys)
        if progress:
            progress(row * len(queries) + (query + 1) * len(keys), len(queries) * len(database))
    return Neighbours(nearest.rows, pairs.distances(nearest.keys), nearest.sizes())


class _CodePairs:
    """The Hamming distances of every query to one piece of the database after the other."""

    def __init__(self, queries: Codes, database: Codes) -> None:
        if queries.bits != database.bits:
            raise ValueError(f"database codes must have {queries.bits} bits, as the queries have; got {database.bits}")
        self.queries, self.database = queries, database

    def __iter__(self) -> Keys:
        queries = word_columns(self.queries.bytes()).T
        for row in range(0, len(self.database), ROWS):
            columns = word_columns(self.database.bytes(row, row + ROWS))
            for query, words in enumerate(queries):
                yield query, row, hamming_distances(columns, words)

    def distances(self, keys: np.ndarray) -> np.ndarray:
        """Return the distances that keys (queries, k) stand for."""
        return keys.astype(np.int64)


class _EmbeddingPairs:
    """The fixed-point keys of every query with one piece of the database after the other."""

    def __init__(self, queries: Embeddings, database: Embeddings) -> None:
        self.queries, self.database, self.fixed = queries, database, fixed_point(queries, database)
        self.bias = np.empty((len(queries), 1))

    def __iter__(self) -> Keys:
        step = max(1, min(ROWS, BYTES // (8 * self.database.dimensions)))
        for row in range(0, len(self.database), step):
            rows, bias = self.fixed.database(self.database, row, row + step)
            for first in range(0, len(self.queries), QUERIES):
                last = min(first + QUERIES, len(self.queries))
                queries, self.bias[first:last, 0] = self.fixed.queries(self.queries, first, last)
                for query, keys in enumerate(bias - self.fixed.products(queries, rows), first):
                    yield query, row, keys

    def distances(self, keys: np.ndarray) -> np.ndarray:
        """Return the distances that keys (queries, k) stand for."""
        return self.fixed.distances(keys + self.bias)


def _pairs(queries: Items, database: Items) -> _CodePairs | _EmbeddingPairs:
    if isinstance(queries, Codes) and isinstance(database, Codes):
        return _CodePairs(queries, database)
    if isinstance(queries, Embeddings) and isinstance(database, Embeddings):
        return _EmbeddingPairs(queries, database)
    got = f"{type(queries).__name__} and {type(database).__name__}"
    raise ValueError(f"queries and database must both be Codes or both be Embeddings; got {got}")


class _Nearest:
    """The k nearest rows of each query so far, by (key, row), and how many rows so far tie with the last of them."""

    def __init__(self, queries: int, k: int) -> None:
        self.keys = np.full((queries, k), np.inf)  # a place that no row has yet is farther than any
        self.rows = np.full((queries, k), -1)
        self.tied = np.zeros(queries, np.int64)

    def add(self, query: int, first: int, keys: np.ndarray) -> None:
        """Take in the keys of consecutive rows, all of which come after those taken in before."""
        known, k = self.keys[query], self.keys.shape[1]
        limit = known[-1]
        if limit == np.inf and len(keys) > k:
            limit = np.partition(keys, k - 1)[k - 1]
        near = np.flatnonzero(keys <= limit)
        if len(near) == 0:
            return
        merged = np.concatenate([known, keys[near]])
        order = np.argsort(merged, kind="stable")[:k]  # stable: of equal keys, the earlier row first
        last = merged[order[-1]]
        before = self.tied[query] if last == known[-1] else np.count_nonzero(known == last)  # all nearer ones are known
        self.tied[query] = before + np.count_nonzero(keys[near] == last)
        self.rows[query] = np.concatenate([self.rows[query], first + near])[order]
        self.keys[query] = merged[order]

    def sizes(self) -> np.ndarray:
        """Return the size of each place's group: all groups but the last are listed whole."""
        sizes = np.empty(self.rows.shape, np.int64)
        for own, keys, tied in zip(sizes, self.keys, self.tied, strict=True):
            _, group, counts = np.unique(keys, return_inverse=True, return_counts=True)
            counts[-1] = tied
            own[:] = counts[group]
        return sizes
