"""From representations and relevance to tallies, in query blocks and database pieces of bounded memory.

Hamming tie groups are known beforehand: one pass. Embeddings take two: the keys of the relevant pairs are the edges,
then every piece of the database is counted between them, without looking at relevance again. Index order is the second
way with the row as tie-breaker, so that no two items tie.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Literal

import numpy as np

from evenrank import kernels
from evenrank.codes import Codes
from evenrank.counting.edges import count_between, count_in_order
from evenrank.counting.keys import CodeKeys, EmbeddingKeys, FixedRows
from evenrank.embeddings import Embeddings
from evenrank.kernels import Lists
from evenrank.relevance import Relevance
from evenrank.tally import Tally, concatenate

Items = Codes | Embeddings
Ties = Literal["expected", "index"]

PAIRS = 2e10  # pairs counted between two signs of progress
MOST = 256 << 20  # bytes of a block, even if there is memory for more: smaller arrays are faster


def tally(
    queries: Items,
    database: Items | Sequence[Items],
    relevance: Relevance,
    *,
    exclude_self: bool | np.ndarray = False,
    ties: Ties = "expected",
    backend: str = "auto",
) -> Tally:
    """Return the tally of all queries against the database (or its shards, whose rows are numbered end to end)."""
    return concatenate(
        tallies(queries, database, relevance, exclude_self=exclude_self, ties=ties, backend=backend, memory="1TB")
    )


def tallies(
    queries: Items,
    database: Items | Sequence[Items],
    relevance: Relevance,
    *,
    exclude_self: bool | np.ndarray = False,
    ties: Ties = "expected",
    backend: str = "auto",
    memory: str | int = "1GB",
) -> Iterator[Tally]:
    """Yield the tallies of consecutive blocks of queries, each within `memory` ("1GB", or bytes)."""
    shards = as_shards(database)
    check(queries, shards, relevance, ties)
    own = own_rows(exclude_self, len(queries), sum(map(len, shards)))
    return _Count(queries, shards, relevance, own, ties == "index", kernels.backend(backend)).blocks(as_bytes(memory))


def as_shards(database: Items | Sequence[Items]) -> list[Items]:
    """Return the shards of a database, of which there may be one."""
    return [database] if isinstance(database, (Codes, Embeddings)) else list(database)


def check(queries: Items, shards: Sequence[Items], relevance: Relevance, ties: str) -> None:
    """Raise ValueError, one clear line, unless everything fits together."""
    kinds = {type(items) for items in (queries, *shards)}
    if not shards or len(kinds) != 1 or not kinds <= {Codes, Embeddings}:
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise ValueError(f"queries and database must both be Codes or both be Embeddings; got {names}")
    if isinstance(queries, Codes):
        for shard in shards:
            if isinstance(shard, Codes) and shard.bits != queries.bits:
                raise ValueError(f"database codes must have {queries.bits} bits, as the queries have; got {shard.bits}")
    wanted = (len(queries), sum(map(len, shards)))
    if relevance.shape != wanted:
        raise ValueError(
            f"relevance must be about {wanted[0]} queries and {wanted[1]} database items; "
            f"got {relevance.shape[0]} and {relevance.shape[1]}"
        )
    if ties not in ("expected", "index"):
        raise ValueError(f"ties must be one of expected, index; got {ties!r}")


def own_rows(exclude_self: bool | np.ndarray, queries: int, database: int) -> np.ndarray:
    """Return each query's own database row, -1 where it has none."""
    if exclude_self is False:
        return np.full(queries, -1)
    own = np.arange(queries) if exclude_self is True else np.asarray(exclude_self)
    if own.shape != (queries,) or own.dtype.kind not in "iu":
        raise ValueError(f"exclude_self must be a bool or one whole number a query ({queries}); got shape {own.shape}")
    if own.size and (own.min() < -1 or own.max() >= database):
        raise ValueError(f"exclude_self must name database rows 0 to {database - 1}, -1 for none; got {own.max()}")
    return own.astype(np.int64)


def as_bytes(memory: str | int) -> int:
    """Return a number of bytes: 1000, "64MB", "1.5GB".

    >>> as_bytes("1.5GB")
    1500000000
    """
    match = re.fullmatch(r"\s*([\d.]+)\s*([KMGT]?)B?\s*", str(memory).upper())
    if match is None or float(match[1]) <= 0:
        raise ValueError(f"memory must be a size like 500MB or 1GB; got {memory!r}")
    return int(float(match[1]) * 1000 ** " KMGT".index(match[2] or " "))


@dataclass
class _Count:
    """One counting job; `own` is each query's own database row, which is left out (-1: none)."""

    queries: Items
    shards: Sequence[Items]
    relevance: Relevance
    own: np.ndarray
    by_index: bool
    kernels: ModuleType

    @cached_property
    def _rows(self) -> FixedRows:
        """Return the rows of embeddings in fixed point, shared by all blocks."""
        return FixedRows(self.queries, self.shards)  # type: ignore[arg-type]

    def blocks(self, memory: int) -> Iterator[Tally]:
        """Yield the tallies of query blocks that fit into `memory` bytes."""
        first, most = 0, max(1024, int(PAIRS // max(self.relevance.shape[1], 1)))
        while first < len(self.queries):
            last = min(first + most, len(self.queries))
            lists = self.relevance.relevant(slice(first, last))
            fit = int(np.searchsorted(np.cumsum(self._bytes(lists)), min(memory, MOST), side="right"))
            if first + max(fit, 1) < last:
                last = first + max(fit, 1)
                lists = self.relevance.relevant(slice(first, last))
            yield self._tally(slice(first, last), lists)
            first = last

    def _bytes(self, lists: Lists) -> np.ndarray:
        """Return what the tally of each query takes, with the room to make it and to read it."""
        if isinstance(self.queries, Codes) and not self.by_index:
            return np.full(lists.queries, (self.queries.bits + 1) * (lists.levels + 4) * 8)
        held = np.concatenate(([0], np.cumsum(np.diff(lists.starts)[lists.members])))
        return np.diff(held[lists.member_starts]) * (lists.levels + 14) * 16

    def _tally(self, block: slice, lists: Lists) -> Tally:
        own, database = self.own[block], self.relevance.shape[1]
        if isinstance(self.queries, Codes):
            codes = CodeKeys(self.queries, block, self.shards, self.kernels)  # type: ignore[arg-type]
            distances = np.arange(self.queries.bits + 1)
            if self.by_index:
                counts, distances = count_in_order(codes, lists, own, database, stops=distances)
            else:
                counts = count_codes(codes, lists, own, database)
        else:
            embeddings = EmbeddingKeys(self.queries, block, self._rows, self.kernels)
            if self.by_index:
                counts, distances = count_in_order(embeddings, lists, own, database, stops=np.empty(0))
            else:
                counts, distances = count_between(embeddings, lists, own, database)
        return Tally(counts, self.relevance.levels, distances, self.relevance.threshold)


def count_codes(keys: CodeKeys, lists: Lists, own: np.ndarray, database: int) -> np.ndarray:
    """Return (queries, bits + 1, levels): items of each level at each Hamming distance, each query's own left out."""
    counts = np.zeros((lists.queries, keys.bits + 1, lists.levels), np.int64)
    for first, rows in keys.pieces():
        part = lists if len(rows) == database else lists.within(first, first + len(rows))
        counts += keys.kernels.hamming_counts(keys.queries, rows, keys.bits, part)
    has = np.flatnonzero(own >= 0)
    if len(has):
        counts[has, keys.of_pairs(has, own[has]), lists.levels_at(own, database)[has]] -= 1
    return counts
