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
from evenrank.embeddings import Embeddings, fixed_point
from evenrank.kernels.fine import FineKernels
from evenrank.kernels.index_order import index_below
from evenrank.kernels.lists import Lists

PIECE = 128 << 20  # bytes of database rows laid out at a time
LONG = 64  # rows of a list, from which on products of whole lists pay

T = TypeVar("T", Codes, Embeddings)


class Keys(Protocol):
    """Keys of one block of queries with every database row."""

    def of_pairs(self, query: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return the key of each pair."""

    def of_lists(self, lists: Lists, query: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return the key of each pair, where the pairs are all those of `lists`."""

    def index_counts(self, edges: np.ndarray, rows: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Return how many items come before each edge (key, row) when ties are broken by row.

        Query q's edges are `edges[starts[q]:starts[q + 1]]`, and so on.
        """

    def distances(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the distances that keys stand for, to show them."""


class FixedRows:
    """The database in fixed point, piece by piece; one that is a single piece is made once and kept."""

    def __init__(self, queries: Embeddings, shards: Sequence[Embeddings]) -> None:
        self.fixed = fixed_point(queries, *shards)
        self.ranges = list(pieces(shards, queries.dimensions * (16 if queries.grid == "fine" else 8)))
        self.kept: list[tuple[int, np.ndarray, np.ndarray]] = []

    def __iter__(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Yield (number of the first row, rows, bias) of consecutive pieces."""
        made = ((number, *self.fixed.database(shard, first, last)) for number, shard, first, last in self.ranges)
        if len(self.ranges) == 1:
            self.kept = self.kept or list(made)
            return iter(self.kept)
        return made


class EmbeddingKeys:
    """Keys of real-valued rows: integers in float64, `bias[row] - product of query and row`."""

    def __init__(self, queries: Embeddings, block: slice, database: FixedRows, kernels: ModuleType) -> None:
        self.queries, self.bias = database.fixed.queries(queries, block.start, block.stop)
        self.database = database
        self.kernels: ModuleType | FineKernels = database.fixed.fine_kernels if queries.grid == "fine" else kernels

    def of_pairs(self, query: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return the key of each pair."""
        keys = np.empty(len(row))
        for number, rows, bias in self.database:
            here = _inside(row, number, len(rows))
            keys[here] = self.kernels.real_pairs(self.queries, rows, bias, query[here], row[here] - number)
        return keys

    def of_lists(self, lists: Lists, query: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return the key of each pair; of long lists that queries share, such as classes, by matrix products."""
        length = np.diff(lists.starts)
        if not lists.sole or len(query) < LONG * max(lists.queries, len(length)):
            return self.of_pairs(query, row)
        keys, place = np.empty(len(query)), np.zeros(lists.queries, np.int64)
        holders = np.flatnonzero(np.diff(lists.member_starts))
        place[holders] = np.cumsum(length[lists.members]) - length[lists.members]
        for number, rows, bias in self.database:
            for held in np.unique(lists.members):
                mine, held_rows = holders[lists.members == held], lists.rows[slice(*lists.starts[held : held + 2])]
                low, high = np.searchsorted(held_rows, [number, number + len(rows)])
                here = held_rows[low:high] - number
                products = self.database.fixed.products(self.queries[mine], rows[here])
                keys[place[mine, None] + np.arange(low, high)] = bias[here] - products
        return keys

    def counts(self, edges: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how many items lie below and at each edge; query q's are `edges[starts[q]:starts[q + 1]]`."""
        below, equal = np.zeros(len(edges), np.int64), np.zeros(len(edges), np.int64)
        for _, rows, bias in self.database:
            more_below, more_equal = self.kernels.real_counts(self.queries, rows, bias, edges, starts)
            below += more_below
            equal += more_equal
        return below, equal

    def index_counts(self, edges: np.ndarray, rows: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Return how many items come before each edge (key, row)."""
        below = np.zeros(len(edges), np.int64)
        for number, items, bias in self.database:
            keys = (bias - self.database.fixed.products(query, items) for query in self.queries)
            below += index_below(keys, edges, rows, starts, number)
        return below

    def distances(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the distances that keys stand for."""
        return self.database.fixed.distances(keys + self.bias[query])


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
            here = _inside(row, number, len(rows))
            keys[here] = self.kernels.hamming_pairs(self.queries, rows, query[here], row[here] - number)
        return keys

    def of_lists(self, lists: Lists, query: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return the Hamming distance of each pair."""
        return self.of_pairs(query, row)

    def index_counts(self, edges: np.ndarray, rows: np.ndarray, starts: np.ndarray) -> np.ndarray:
        """Return how many items come before each edge (distance, row)."""
        below = np.zeros(len(edges), np.int64)
        for number, items in self.pieces():
            columns, queries = _words(items), _words(self.queries).T
            keys = (_distances(columns, query) for query in queries)
            below += index_below(keys, edges, rows, starts, number)
        return below

    def distances(self, query: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Return the keys: they are the distances."""
        return keys


def _words(packed: np.ndarray) -> np.ndarray:
    """Return packed codes as 64-bit words, (words, n)."""
    padded = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view(np.uint64).T)


def _distances(columns: np.ndarray, query: np.ndarray) -> np.ndarray:
    """Return the Hamming distances of one query to all codes; as uint16 they sort fastest."""
    total = np.zeros(columns.shape[1], np.uint16)
    for column, word in zip(columns, query, strict=True):
        total += np.bitwise_count(column ^ word)
    return total


def _inside(row: np.ndarray, first: int, count: int) -> slice | np.ndarray:
    """Return which rows are among the `count` from `first` on; often all, and then nothing is copied."""
    if first == 0 and row.max(initial=0) < count:
        return slice(None)
    return (row >= first) & (row < first + count)


def pieces(shards: Sequence[T], row_bytes: int) -> Iterator[tuple[int, T, int, int]]:
    """Yield (number of the first row, shard, its first row, its last row + 1) of pieces of at most `PIECE` bytes."""
    number, step = 0, max(1, PIECE // row_bytes)
    for shard in shards:
        for first in range(0, len(shard), step):
            last = min(first + step, len(shard))
            yield number + first, shard, first, last
        number += len(shard)
