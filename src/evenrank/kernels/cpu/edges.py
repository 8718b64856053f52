"""How many keys of a tile lie below each edge of their query, and how many on it.

A tile holds products query · row, in float64 (exact) or in float32 (its keys are within a `margin` of the truth, see
`filter.py`); the key of a pair is `bias[row] - product`. Keys within the margin of an edge are computed again, exactly.

- A query with few edges compares a run of keys with each edge (SIMD), the farthest first: a run beyond one edge is
  beyond all nearer ones.
- A query with many edges has a table of buckets of equal width; a key's bucket says at which edge to start, mostly at
  most one short of the first edge not below the key, where the key is counted. `collect` adds those up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

FEW = 24  # edges of a query up to which comparing with each of them is faster than looking up
RUN = 256  # keys handled at a time: they stay in the first-level cache
STRIP = 32  # columns transposed at a time: they stay in the second-level cache
BUCKETS = 4  # for each edge of a query with many
ONE = np.uint32(1)
EXACT = {"reassoc", "contract"}  # any order of summation gives the same integer


class Ladder(NamedTuple):
    """The edges of some queries, made ready for counting; each query's end with an extra +infinity."""

    edges: np.ndarray  # float64
    starts: np.ndarray  # (queries + 1,) int64
    margin: np.ndarray  # (queries,) float64: how far off a key may be; 0 for exact products
    lower: np.ndarray  # the greatest value that is surely below the edge, in the type of the products
    upper: np.ndarray  # the greatest value that may be at the edge, in the type of the products
    table: np.ndarray  # uint32: bucket -> the first edge in it or beyond, only of queries with many edges
    table_starts: np.ndarray  # (queries + 1,) int64

    def counters(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (below, equal), uint32 zeros, that run parallel to the edges."""
        return np.zeros(len(self.edges), np.uint32), np.zeros(len(self.edges), np.uint32)


def ladder(edges: np.ndarray, starts: np.ndarray, margin: np.ndarray, kind: type[np.floating]) -> Ladder:
    """Return the ladder of queries whose edges are `edges[starts[q]:starts[q + 1]]`, for products of type `kind`."""
    lengths = np.diff(starts)
    padded_starts = starts - starts[0] + np.arange(len(starts))
    table_starts = np.concatenate(([0], np.cumsum(np.where(lengths > FEW, BUCKETS * lengths, 0))))
    padded, table = np.full(padded_starts[-1], np.inf), np.empty(table_starts[-1], np.uint32)
    lower, upper = np.empty(len(padded), kind), np.empty(len(padded), kind)
    result = Ladder(padded, padded_starts, margin, lower, upper, table, table_starts)
    fill(edges, starts, result)
    return result


@njit(cache=True, nogil=True)
def fill(edges: np.ndarray, starts: np.ndarray, ladder: Ladder) -> None:
    """Write the padded edges; their limits where a query has few, their table where it has many."""
    to = ladder.lower.dtype.type
    for q in range(len(starts) - 1):
        mine, start = edges[starts[q] : starts[q + 1]], ladder.starts[q]
        ladder.edges[start : start + len(mine)] = mine
        table = ladder.table[ladder.table_starts[q] : ladder.table_starts[q + 1]]
        if len(table):
            fill_table(mine, table)
        else:
            for e in range(len(mine)):
                ladder.lower[start + e] = np.nextafter(to(mine[e] - ladder.margin[q]), to(-np.inf))
                ladder.upper[start + e] = to(mine[e] + ladder.margin[q])
                if ladder.margin[q] > 0.0:  # the conversion may have rounded inward: one step outward makes up for it
                    ladder.upper[start + e] = np.nextafter(ladder.upper[start + e], to(np.inf))


@njit(cache=True, nogil=True)
def fill_table(edges: np.ndarray, table: np.ndarray) -> None:
    """Write, for every bucket, the first edge in that bucket or a later one."""
    scale = bucket_scale(edges, len(table))
    b = 0
    for e in range(len(edges)):
        last = bucket(edges[e], edges[0], scale, len(table))
        while b <= last:
            table[b] = e
            b += 1
    table[b:] = len(edges)


@njit(cache=True, nogil=True)
def bucket_scale(edges: np.ndarray, buckets: int) -> float:
    """Return buckets per unit of key, over the range of at least two distinct edges."""
    return float((buckets - 1) / (edges[-1] - edges[0]))


@njit(cache=True, nogil=True)
def bucket(key: float, low: float, scale: float, buckets: int) -> np.uint32:
    """Return the bucket of a key; never decreases with the key, rounding included, so no search starts too late."""
    place = (key - low) * scale
    place = place if place > 0.0 else 0.0
    place = place if place < buckets - 1.0 else buckets - 1.0
    return np.uint32(np.int32(place))


@njit(cache=True, nogil=True, fastmath=EXACT)
def exact_key(query: np.ndarray, row: np.ndarray, bias: float) -> float:
    """Return bias - query · row; integers so small that no partial sum rounds."""
    total = 0.0
    for i in range(len(query)):
        total += query[i] * row[i]
    return bias - total


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
    keys, places = np.empty(RUN, product.dtype), np.empty(RUN, np.uint32)
    near = bias.astype(product.dtype)
    for q in range(len(product)):
        start, stop = ladder.starts[first_query + q], ladder.starts[first_query + q + 1]
        edges, lower, upper = ladder.edges[start:stop], ladder.lower[start : stop - 1], ladder.upper[start : stop - 1]
        table = ladder.table[ladder.table_starts[first_query + q] : ladder.table_starts[first_query + q + 1]]
        margin, mine, on = ladder.margin[first_query + q], below[start:stop], equal[start:stop]
        for first in range(0, product.shape[1] if len(lower) else 0, RUN):
            last = min(first + RUN, product.shape[1])
            run, rows, biases = keys[: last - first], database[first:last], bias[first:last]
            subtract(near[first:last], product[q, first:last], run)
            if len(table) == 0:
                compare(run, queries[q], rows, biases, edges, lower, upper, margin, mine, on)
            elif margin == 0.0:
                look_up(run, places, edges, table, mine, on)
            else:
                look_up_near(run, places, queries[q], rows, biases, edges, table, margin, mine, on)


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


@njit(cache=True, nogil=True)
def look_up(
    keys: np.ndarray, places: np.ndarray, edges: np.ndarray, table: np.ndarray, below: np.ndarray, equal: np.ndarray
) -> None:
    """Count a run of exact keys of one query at the first edges not below them (`collect` adds up)."""
    place(keys, 0.0, edges, table, places)
    for i in range(len(keys)):
        e = first_not_below(edges, keys[i], table[places[i]])
        below[e] += ONE
        equal[e] += np.uint32(edges[e] == keys[i])


@njit(cache=True, nogil=True)
def look_up_near(
    keys: np.ndarray,
    places: np.ndarray,
    query: np.ndarray,
    database: np.ndarray,
    bias: np.ndarray,
    edges: np.ndarray,
    table: np.ndarray,
    margin: float,
    below: np.ndarray,
    equal: np.ndarray,
) -> None:
    """Do the same with keys that may be off by `margin`."""
    place(keys, margin, edges, table, places)
    again, place_again = np.empty(1), np.empty(1, np.uint32)
    for i in range(len(keys)):
        e = first_not_below(edges, keys[i] - margin, table[places[i]])
        if edges[e] > keys[i] + margin:
            below[e] += ONE
        else:
            again[0] = exact_key(query, database[i], bias[i])
            look_up(again, place_again, edges, table, below, equal)


@njit(cache=True, nogil=True)
def place(keys: np.ndarray, margin: float, edges: np.ndarray, table: np.ndarray, places: np.ndarray) -> None:
    """Write the buckets of the keys less the margin; a loop of its own, for SIMD."""
    low, scale = edges[0], bucket_scale(edges[:-1], len(table))
    for i in range(len(keys)):
        places[i] = bucket(keys[i] - margin, low, scale, len(table))


@njit(cache=True, nogil=True)
def first_not_below(edges: np.ndarray, key: float, start: int) -> np.uint64:
    """Return the first edge from `start` on that is not below `key`; the last edge is +infinity."""
    e = np.uint64(start)
    e += np.uint64(edges[e] < key)  # without a branch, which would often be mispredicted
    return climb(edges, key, e) if edges[e] < key else e


@njit(cache=True, nogil=True)
def climb(edges: np.ndarray, key: float, below: np.uint64) -> np.uint64:
    """Return the first edge not below `key`, from one that is: in growing steps, since outliers can crowd a bucket."""
    low, step = below, np.uint64(1)
    while low + step < len(edges) and edges[low + step] < key:
        low += step
        step += step
    high = min(low + step, np.uint64(len(edges) - 1))
    while high - low > 1:
        middle = (low + high) // np.uint64(2)
        if edges[middle] < key:
            low = middle
        else:
            high = middle
    return high


def collect(ladder: Ladder, below: np.ndarray, equal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (below, equal), int64, without the extra edges and with what `look_up` counted at edges added up."""
    mine = np.isfinite(ladder.edges)
    add_up(ladder, below, equal)
    return below[mine].astype(np.int64), equal[mine].astype(np.int64)


@njit(cache=True, nogil=True)
def add_up(ladder: Ladder, below: np.ndarray, equal: np.ndarray) -> None:
    """Turn counts at the first edge not below into counts below, of queries with many edges."""
    for q in range(len(ladder.starts) - 1):
        if ladder.table_starts[q + 1] > ladder.table_starts[q]:
            total = np.uint32(0)
            for e in range(ladder.starts[q], ladder.starts[q + 1] - 1):
                total += below[e]
                below[e] = total - equal[e]
