"""Exact keys of query-item pairs, smaller is nearer, whatever the representation and however the database lies.

A key is the Hamming distance of two codes or the fixed-point sum of two embeddings. The database is read in pieces of
bounded size; shards are numbered end to end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Protocol, TypeVar

import numpy as np

from evenrank.codes import Codes
from evenrank.embeddings import Embeddings, FixedPoint
from evenrank.kernels.index_order import index_below

PIECE = 128 << 20  # bytes of database rows laid out at a time

T = TypeVar("T", Codes, Embeddings)


class Keys(Protocol):
    """Keys of one block of queries with every database row."""

    def of_pairs(self, query: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return the key of each pair."""

    def counts(self, edges: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how many items lie below and at each edge; query q's are `edges[starts[q]:starts[q + 1]]`."""

    def index_counts(self, edges: np.ndarray, rows: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Return how many items come before each edge (key, row) when ties are broken by row."""

    def distances(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the distances that keys stand for, to show them."""


class EmbeddingKeys:
    """Keys of real-valued rows: integers in float64, `bias[row] - query · row`."""

    def __init__(
        self, queries: Embeddings, block: slice, shards: Sequence[Embeddings], fixed: FixedPoint, kernels: ModuleType
    ) -> None:
        self.queries, self.bias = fixed.queries(queries, block.start, block.stop)
        self.shards, self.fixed, self.kernels = shards, fixed, kernels

    def pieces(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Yield (number of the first row, rows, bias) of consecutive pieces of the database."""
        for number, shard, first, last in pieces(self.shards, 8 * self.queries.shape[1]):
            yield number, *self.fixed.database(shard, first, last)

    def of_pairs(self, query: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return the key of each pair."""
        keys = np.empty(len(row))
        for number, rows, bias in self.pieces():
            here = (row >= number) & (row < number + len(rows))
            keys[here] = self.kernels.real_pairs(self.queries, rows, bias, query[here], row[here] - number)
        return keys

    def counts(self, edges: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how many items lie below and at each edge."""
        below, equal = np.zeros(len(edges), np.int64), np.zeros(len(edges), np.int64)
        for _, rows, bias in self.pieces():
            more_below, more_equal = self.kernels.real_counts(self.queries, rows, bias, edges, starts)
            below += more_below
            equal += more_equal
        return below, equal

    def index_counts(self, edges: np.ndarray, rows: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Return how many items come before each edge (key, row)."""
        below = np.zeros(len(edges), np.int64)
        for number, items, bias in self.pieces():
            keys = (bias - items @ query for query in self.queries)
            below += index_below(keys, edges, rows, starts, number)
        return below

    def distances(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the distances that keys stand for."""
        return self.fixed.distances(keys + self.bias[query])


class CodeKeys:
    """Keys of codes: Hamming distances."""

    def __init__(self, queries: Codes, block: slice, shards: Sequence[Codes], kernels: ModuleType) -> None:
        self.queries, self.bits = queries.bytes(block.start, block.stop), queries.bits
        self.shards, self.kernels = shards, kernels

    def pieces(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield (number of the first row, packed rows) of consecutive pieces of the database."""
        for number, shard, first, last in pieces(self.shards, self.queries.shape[1]):
            yield number, shard.bytes(first, last)

    def of_pairs(self, query: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return the Hamming distance of each pair."""
        keys = np.empty(len(row), np.int64)
        for number, rows in self.pieces():
            here = (row >= number) & (row < number + len(rows))
            keys[here] = self.kernels.hamming_pairs(self.queries, rows, query[here], row[here] - number)
        return keys

    def index_counts(self, edges: np.ndarray, rows: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Return how many items come before each edge (distance, row)."""
        below = np.zeros(len(edges), np.int64)
        for number, items in self.pieces():
            every = np.arange(len(items))
            keys = (
                self.kernels.hamming_pairs(self.queries, items, np.full(len(items), q), every).astype(np.uint16)
                for q in range(len(self.queries))
            )
            below += index_below(keys, edges, rows, starts, number)
        return below

    def distances(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the keys: they are the distances."""
        return keys


def pieces(shards: Sequence[T], row_bytes: int) -> Iterator[tuple[int, T, int, int]]:
    """Yield (number of the first row, shard, its first row, its last row + 1) of pieces of at most `PIECE` bytes."""
    number, step = 0, max(1, PIECE // row_bytes)
    for shard in shards:
        for first in range(0, len(shard), step):
            last = min(first + step, len(shard))
            yield number + first, shard, first, last
        number += len(shard)
