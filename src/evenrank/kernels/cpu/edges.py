"""How many keys of a tile lie below each edge of their query, and how many on it.

A tile holds products query · row, in float64 (exact) or in float32 (its keys are within a `margin` of the truth, see
`filter.py`); the key of a pair is `bias[row] - product`. Keys within the margin of an edge are computed again, exactly.

- A query with few edges compares a run of keys with each edge (SIMD), the farthest first: a run beyond one edge is
  beyond all nearer ones.
- A query with many edges puts each key in a bucket, most of which lie between two edges (see `buckets.py`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from evenrank.kernels.cpu.buckets import add_up, fill, look_up, look_up_near, room
from evenrank.kernels.cpu.filter import EXACT, exact_key

FEW = 24  # edges of a query up to which comparing with each of them is faster than looking up
RUN = 256  # keys compared at a time: they stay in the first-level cache
LONG_RUN = 1024  # keys put in buckets at a time
STRIP = 32  # columns transposed at a time: they stay in the second-level cache


class Ladder(NamedTuple):
    """The edges of some queries, made ready for counting."""

    edges: np.ndarray  # float64
    starts: np.ndarray  # (queries + 1,) int64
    margin: np.ndarray  # (queries,) float64: how far off a key may be; 0 for exact products
    many: np.ndarray  # (queries,) bool: whether to count by buckets
    lower: np.ndarray  # the greatest value that is surely below the edge, in the type of the products
    upper: np.ndarray  # the greatest value that may be at the edge, in the type of the products

    def counters(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (below, equal), int64 zeros, that run parallel to the edges."""
        return np.zeros(len(self.edges), np.int64), np.zeros(len(self.edges), np.int64)


def ladder(edges: np.ndarray, starts: np.ndarray, margin: np.ndarray, kind: type[np.floating]) -> Ladder:
    """Return the ladder of queries whose edges are `edges[starts[q]:starts[q + 1]]`, for products of type `kind`."""
    mine = edges[starts[0] : starts[-1]]
    lower, upper = np.empty(len(mine), kind), np.empty(len(mine), kind)
    result = Ladder(mine, starts - starts[0], margin, np.diff(starts) > FEW, lower, upper)
    fill_limits(result)
    return result


@njit(cache=True, nogil=True)
def fill_limits(ladder: Ladder) -> None:
    """Write the limits of the edges of queries with few."""
    to = ladder.lower.dtype.type
    for q in range(len(ladder.many)):
        for e in range(ladder.starts[q], ladder.starts[q] if ladder.many[q] else ladder.starts[q + 1]):
            ladder.lower[e] = np.nextafter(to(ladder.edges[e] - ladder.margin[q]), to(-np.inf))
            ladder.upper[e] = to(ladder.edges[e] + ladder.margin[q])
            if ladder.margin[q] > 0.0:  # the conversion may have rounded inward: one step outward makes up for it
                ladder.upper[e] = np.nextafter(ladder.upper[e], to(np.inf))


@njit(cache=True, nogil=True)
def count_tile(
    product: np.ndarray,
    queries: np.ndarray,
    database: np.ndarray,
    bias: np.ndarray,
    ladder: Ladder,
    first_query: int,
    below: np.ndarray,
    equal: np.ndarray,
) -> None:
    """Add the keys of a tile to `below` and `equal`, which run parallel to the edges of the ladder.

    `product` (q, n) is of `queries` (q, d), the ladder's from `first_query` on, and `database` (n, d), `bias` (n,).
    """
    keys, places, near = np.empty(LONG_RUN, product.dtype), np.empty(LONG_RUN, np.uint32), bias.astype(product.dtype)
    space = room(most_edges(ladder, first_query, first_query + len(product)))
    for q in range(len(product)):
        start, stop = ladder.starts[first_query + q], ladder.starts[first_query + q + 1]
        edges, lower, upper = ladder.edges[start:stop], ladder.lower[start:stop], ladder.upper[start:stop]
        margin, many = ladder.margin[first_query + q], ladder.many[first_query + q]
        buckets, length = (fill(space, edges), LONG_RUN) if many else (space, RUN)
        for first in range(0, product.shape[1] if len(edges) else 0, length):
            last = min(first + length, product.shape[1])
            run, rows, biases = keys[: last - first], database[first:last], bias[first:last]
            subtract(near[first:last], product[q, first:last], run)
            if not many:
                compare(
                    run, queries[q], rows, biases, edges, lower, upper, margin, below[start:stop], equal[start:stop]
                )
            elif margin == 0.0:
                look_up(run, places, buckets)
            else:
                look_up_near(run, places, queries[q], rows, biases, margin, buckets)
        if many:
            add_up(buckets, below[start:stop], equal[start:stop])


@njit(cache=True, nogil=True)
def most_edges(ladder: Ladder, first: int, last: int) -> int:
    """Return how many edges a query from `first` to `last` has that counts by buckets, at most."""
    most = 0
    for q in range(first, last):
        if ladder.many[q]:
            most = max(most, ladder.starts[q + 1] - ladder.starts[q])
    return most


@njit(cache=True, nogil=True)
def count_columns(
    product: np.ndarray,
    queries: np.ndarray,
    database: np.ndarray,
    bias: np.ndarray,
    ladder: Ladder,
    first_query: int,
    below: np.ndarray,
    equal: np.ndarray,
) -> None:
    """Do the same with a tile (n, q) whose columns belong to the queries, a strip of columns at a time."""
    strip = np.empty((STRIP, product.shape[0]), product.dtype)
    for first in range(0, product.shape[1], STRIP):
        columns = product[:, first : first + STRIP]
        rows = strip[: columns.shape[1]]
        transpose(columns, rows)
        mine = queries[first : first + STRIP]
        count_tile(rows, mine, database, bias, ladder, first_query + first, below, equal)


@njit(cache=True, nogil=True)
def transpose(source: np.ndarray, target: np.ndarray) -> None:
    """Write the transposed source, in squares that fit the first-level cache."""
    for row in range(0, source.shape[0], 32):
        for column in range(0, source.shape[1], 32):
            part, turned = source[row : row + 32, column : column + 32], target[column : column + 32, row : row + 32]
            for j in range(part.shape[1]):
                for i in range(part.shape[0]):
                    turned[j, i] = part[i, j]


@njit(cache=True, nogil=True)
def subtract(bias: np.ndarray, product: np.ndarray, keys: np.ndarray) -> None:
    """Write the keys; a function of its own, for SIMD."""
    for i in range(len(keys)):
        keys[i] = bias[i] - product[i]


@njit(cache=True, nogil=True)
def compare(
    keys: np.ndarray,
    query: np.ndarray,
    database: np.ndarray,
    bias: np.ndarray,
    edges: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
    margin: float,
    below: np.ndarray,
    equal: np.ndarray,
) -> None:
    """Add a run of keys of one query by comparing it with each edge."""
    for e in range(len(lower) - 1, -1, -1):
        up_to = count_up_to(keys, upper[e])
        if up_to == 0:
            break
        under = count_up_to(keys, lower[e])
        below[e] += under
        if up_to > under:
            if margin == 0.0:
                equal[e] += up_to - under
            else:
                for i in range(len(keys)):
                    if lower[e] < keys[i] <= upper[e]:
                        key = exact_key(query, database[i], bias[i])
                        below[e] += key < edges[e]
                        equal[e] += key == edges[e]


@njit(cache=True, nogil=True, fastmath=EXACT)
def count_up_to(keys: np.ndarray, limit: float) -> int:
    """Return how many keys are at most `limit`; summed in the type of the keys, which is what makes it SIMD."""
    one, zero = keys.dtype.type(1), keys.dtype.type(0)
    total = zero
    for i in range(len(keys)):
        total += one if keys[i] <= limit else zero
    return int(total)
