"""Occupancy: how the items around each query share the codes of its Hamming balls.

A tally says how many items lie at a distance, not whether they lie on one code or on many. For each query and distance
up to a radius, `Occupancy` holds the number of occupied codes, the largest number of items on one of them, and
Σ c log c over the numbers c of items on them. LGAP reads it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenrank import kernels
from evenrank.codes import Codes
from evenrank.distinct import Distinct, distinct


@dataclass(frozen=True, eq=False)
class Occupancy:
    """Tables of shape (queries, radius + 1), one column a Hamming distance (not cumulative)."""

    bits: int
    occupied: np.ndarray  # codes with at least one item, int64
    largest: np.ndarray  # items on the fullest of them, int64; 0 if there is none
    spread: np.ndarray  # Σ c log c, float64

    def __len__(self) -> int:
        return len(self.occupied)

    def __getitem__(self, queries: slice | np.ndarray) -> Occupancy:
        """Return the occupancy around some of the queries."""
        return Occupancy(self.bits, self.occupied[queries], self.largest[queries], self.spread[queries])


def occupancy(
    queries: Codes, database: Codes, radius: int, own: np.ndarray | None = None, backend: str = "auto"
) -> Occupancy:
    """Return the occupancy around each query up to `radius`; `own` names each query's own database row, -1 none.

    >>> queries, database = Codes.from_bits([[0, 0]]), Codes.from_bits([[0, 0], [0, 1], [0, 1], [1, 1]])
    >>> occupancy(queries, database, radius=1, backend="reference").largest.tolist()
    [[1, 2]]
    """
    if queries.bits != database.bits:
        raise ValueError(f"database codes must have as many bits as the queries, {queries.bits}; got {database.bits}")
    known, rows = distinct(database), queries.bytes()
    tables = kernels.backend(backend).occupancy(rows, known.codes, known.multiplicity, radius)
    ball = Occupancy(queries.bits, *tables)
    if own is not None and (own >= 0).any():
        query = np.flatnonzero(own >= 0)
        _take_out(ball, known, query, rows[query], np.asarray(database[own[query]].bytes()))
    return ball


def _take_out(ball: Occupancy, known: Distinct, query: np.ndarray, rows: np.ndarray, own: np.ndarray) -> None:
    """Take one item off the code `own` of each query, at whatever distance it lies."""
    distance = np.bitwise_count(rows ^ own).sum(axis=1, dtype=np.int64)
    near = distance < ball.occupied.shape[1]
    query, rows, own, distance = query[near], rows[near], own[near], distance[near]
    count = known.multiplicity_of(own)
    ball.occupied[query, distance] -= count == 1
    ball.spread[query, distance] += _xlogx(count - 1) - _xlogx(count)
    fullest = ball.largest[query, distance] == count
    for q, d, row, code, c in zip(*(x[fullest] for x in (query, distance, rows, own, count)), strict=True):
        ball.largest[q, d] = max(c - 1, _fullest_other(known, row, code, d))


def _fullest_other(known: Distinct, row: np.ndarray, code: np.ndarray, distance: int) -> int:
    """Return the items on the fullest code at a distance other than `code`; at distance 0 there is no other."""
    if distance == 0:
        return 0
    there = np.bitwise_count(known.codes ^ row).sum(axis=1, dtype=np.int64) == distance
    there &= (known.codes != code).any(axis=1)
    return int(known.multiplicity[there].max(initial=0))


def _xlogx(count: np.ndarray) -> np.ndarray:
    return np.asarray(count * np.log(np.maximum(count, 1)))
