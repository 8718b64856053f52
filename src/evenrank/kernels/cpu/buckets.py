"""Counting the keys of a query that has many edges, by buckets.

Buckets of equal width cover the edges, with one bucket below and one above them. Edges and keys find their bucket by
one formula that never decreases, rounding included: an edge in an earlier bucket is below the key, one in a later
bucket is above it. So a bucket without an edge says at which edge its keys count: the first that is not below them.
Only keys that share a bucket with edges, a minority, are set aside and compared with those.

The table of buckets is made anew for every query of a tile, which is faster than bringing it back into cache. Each step
is a loop of its own without branches, for the processor to work on many keys at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from evenrank.kernels.cpu.filter import exact_key

BUCKETS = 4  # for each edge: more would set fewer keys aside, but take longer to make
ONE = np.uint32(1)


class Buckets(NamedTuple):
    """The edges of one query, ready for counting."""

    edges: np.ndarray  # float64, ending with an extra +infinity
    table: (
        np.ndarray
    )  # uint32, for each bucket: 2 e + (whether it holds an edge), e being the first edge in it or beyond
    first: np.ndarray  # uint32, for each edge: keys whose first edge not below them it is
    equal: np.ndarray  # uint32, for each edge: keys equal to it


@njit(cache=True, nogil=True)
def room(edges: int) -> Buckets:
    """Return buckets for a query of up to so many edges, to be filled."""
    return Buckets(
        np.empty(edges + 1),
        np.empty(BUCKETS * edges, np.uint32),
        np.empty(edges + 1, np.uint32),
        np.empty(edges + 1, np.uint32),
    )


@njit(cache=True, nogil=True)
def fill(space: Buckets, edges: np.ndarray) -> Buckets:
    """Return the buckets of a query in `space`, with nothing counted; at least two edges, distinct and ascending."""
    count, table = len(edges), space.table[: BUCKETS * len(edges)]
    space.edges[:count], space.edges[count] = edges, np.inf
    space.first[: count + 1], space.equal[: count + 1] = 0, 0
    buckets = Buckets(space.edges[: count + 1], table, space.first[: count + 1], space.equal[: count + 1])
    places = np.empty(count, np.uint32)
    place(edges, 0.0, buckets, places)
    table[:] = 0
    for e in range(count):
        table[places[e]] += ONE
    first = np.uint32(0)
    for b in range(len(table)):
        held = table[b]
        table[b] = first + first + np.uint32(held > 0)
        first += held
    return buckets


@njit(cache=True, nogil=True)
def place(keys: np.ndarray, margin: float, buckets: Buckets, places: np.ndarray) -> None:
    """Write the places in the table of the keys less the margin."""
    low, high, top = buckets.edges[0], buckets.edges[-2], len(buckets.table) - 1.0
    scale = (top - 2.0) / (high - low)
    for i in range(len(keys)):
        where = (keys[i] - margin - low) * scale + 1.0
        where = where if where > 0.0 else 0.0
        where = where if where < top else top
        places[i] = np.uint32(np.int32(where))


@njit(cache=True, nogil=True)
def look_up(keys: np.ndarray, places: np.ndarray, buckets: Buckets) -> None:
    """Count a run of exact keys; overwrites it."""
    place(keys, 0.0, buckets, places)
    aside = count_clear(keys, places, buckets.table, buckets.first)
    count_aside(keys[:aside], places, buckets.edges, buckets.first, buckets.equal)


@njit(cache=True, nogil=True)
def count_clear(keys: np.ndarray, places: np.ndarray, table: np.ndarray, first: np.ndarray) -> int:
    """Count the keys in buckets without edges; move the others, and what the table says of them, to the front."""
    aside = np.uint64(0)
    for i in range(len(keys)):
        entry = table[places[i]]
        shared = entry & ONE
        first[entry >> ONE] += ONE - shared
        keys[aside] = keys[i]
        places[aside] = entry
        aside += np.uint64(shared)
    return int(aside)


@njit(cache=True, nogil=True)
def count_aside(keys: np.ndarray, entries: np.ndarray, edges: np.ndarray, first: np.ndarray, equal: np.ndarray) -> None:
    """Count the keys in buckets with edges."""
    for i in range(len(keys)):
        e = first_not_below(edges, keys[i], entries[i] >> ONE)
        first[e] += ONE
        equal[e] += np.uint32(edges[e] == keys[i])


@njit(cache=True, nogil=True)
def look_up_near(
    keys: np.ndarray,
    places: np.ndarray,
    query: np.ndarray,
    database: np.ndarray,
    bias: np.ndarray,
    margin: float,
    buckets: Buckets,
) -> None:
    """Count a run of keys that may be off by `margin`."""
    edges = buckets.edges
    place(keys, margin, buckets, places)
    for i in range(len(keys)):
        e = first_not_below(edges, keys[i] - margin, buckets.table[places[i]] >> ONE)
        if edges[e] <= keys[i] + margin:
            key = exact_key(query, database[i], bias[i])
            e = first_not_below(edges, key, int(e))
            buckets.equal[e] += np.uint32(edges[e] == key)
        buckets.first[e] += ONE


@njit(cache=True, nogil=True)
def first_not_below(edges: np.ndarray, key: float, start: int) -> np.uint64:
    """Return the first edge from `start` on that is not below `key`; the last edge is +infinity."""
    e = np.uint64(start)
    e += np.uint64(edges[e] < key)  # without a branch, which would often be mispredicted
    e += np.uint64(edges[e] < key)
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


@njit(cache=True, nogil=True)
def add_up(buckets: Buckets, below: np.ndarray, equal: np.ndarray) -> None:
    """Add what was counted to `below` and `equal`, which run parallel to the edges."""
    total = 0
    for e in range(len(below)):
        total += buckets.first[e]
        below[e] += total - buckets.equal[e]
        equal[e] += buckets.equal[e]
