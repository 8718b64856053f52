"""Counting between edges: a tally whose tie groups are not known beforehand.

The edges of a query are the distinct keys of its relevant items. Its tie groups are, nearest first: the items before
the first edge, those at it, those between it and the second, and so on. What lies between edges is irrelevant, and a
run of irrelevant items changes no metric, so all of it is one group. Breaking ties by row makes every edge (key, row).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evenrank.counting.keys import EmbeddingKeys, Keys
from evenrank.kernels.lists import Lists, ramp


@dataclass(frozen=True)
class Edges:
    """Edges, query after query, each query's ascending; `items` (edges, levels) counts the relevant items at each."""

    keys: np.ndarray
    rows: np.ndarray  # of the relevant item at the edge; read in index order only
    query: np.ndarray
    starts: np.ndarray  # (queries + 1,)
    items: np.ndarray

    @cached_property
    def width(self) -> int:
        """Return how many groups the tally has: one at each edge, one before each, one behind the last."""
        return 2 * int(np.diff(self.starts).max(initial=0)) + 1

    @cached_property
    def places(self) -> np.ndarray:
        """Return where in the tally's flattened groups the gap before each edge is; the edge's group is next to it."""
        return self.query * self.width + 2 * ramp(np.diff(self.starts))


def count_between(keys: EmbeddingKeys, lists: Lists, own: np.ndarray, database: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (counts, distances) of a tally: (queries, groups, levels) integers and (queries, groups).

    `own` is each query's own row, which is left out (-1: none). A gap has the distance of the group behind it.
    """
    query, _, level, key = _relevant_pairs(keys, lists, own)
    edges = _distinct(query, level, key, lists)
    below, equal = keys.counts(edges.keys, edges.starts)
    has, own_key = _own_keys(keys, own)
    if has:
        below -= own_key[edges.query] < edges.keys
        equal -= own_key[edges.query] == edges.keys
    return _table(edges, below, equal, database - (own >= 0)), _distances(keys, edges)


def count_in_order(
    keys: Keys, lists: Lists, own: np.ndarray, database: int, stops: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (counts, distances) of a tally in which ties are broken by row, so that every relevant item is an edge.

    The keys `stops` (for codes every distance) end a group too, so that each group lies at one distance.
    """
    query, row, level, key = _relevant_pairs(keys, lists, own)
    edges = _every_item(query, row, level, key, lists, stops, database)
    below, equal = keys.index_counts(edges.keys, edges.rows, edges.starts), edges.items.sum(axis=1)
    has, own_key = _own_keys(keys, own)
    if has:
        mine = own_key[edges.query]
        below -= (mine < edges.keys) | ((mine == edges.keys) & (own[edges.query] < edges.rows))
    return _table(edges, below, equal, database - (own >= 0)), _distances(keys, edges)


def _relevant_pairs(keys: Keys, lists: Lists, own: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return (query, row, level, key) of every relevant pair but those of a query with its own row."""
    query, row, level = lists.pairs()
    key = keys.of_lists(lists, query, row)
    if not (own >= 0).any():
        return query, row, level, key
    others = row != own[query]
    return query[others], row[others], level[others], key[others]


def _own_keys(keys: Keys, own: np.ndarray) -> tuple[bool, np.ndarray]:
    """Return whether any query has an own row, and its key; of a query that has none, infinity: behind every edge."""
    has, own_key = np.flatnonzero(own >= 0), np.full(len(own), np.inf)
    if len(has):
        own_key[has] = keys.of_pairs(has, own[has])
    return len(has) > 0, own_key


def _distinct(query: np.ndarray, level: np.ndarray, key: np.ndarray, lists: Lists) -> Edges:
    """Return one edge for each distinct key of a query's relevant items.

    Key and level are sorted as one integer: keys are integers below 2⁵³, which leaves ten bits for the level.
    """
    shift = max(1, (lists.levels - 1).bit_length())
    both = (key.astype(np.int64) << shift) | level
    for mine in _by_query(query, lists.queries):
        both[mine].sort()
    key, level = both >> shift, both & ((1 << shift) - 1)
    fresh = np.ones(len(key), bool)
    fresh[1:] = (key[1:] != key[:-1]) | (query[1:] != query[:-1])
    edge, count = np.cumsum(fresh) - 1, int(fresh.sum())
    items = np.bincount(edge * lists.levels + level, minlength=count * lists.levels).reshape(count, lists.levels)
    key, query = key[fresh].astype(np.float64), query[fresh]
    return Edges(key, key, query, np.searchsorted(query, np.arange(lists.queries + 1)), items)


def _every_item(
    query: np.ndarray,
    row: np.ndarray,
    level: np.ndarray,
    key: np.ndarray,
    lists: Lists,
    stops: np.ndarray,
    database: int,
) -> Edges:
    """Return one edge a relevant item, and one behind all items (hence row `database`) of each of the `stops`."""
    items = np.zeros((len(key), lists.levels), np.int64)
    items[np.arange(len(key)), level] = 1
    query = np.concatenate([query, np.repeat(np.arange(lists.queries), len(stops))])
    key = np.concatenate([key, np.tile(stops, lists.queries)])
    row = np.concatenate([row, np.full(len(stops) * lists.queries, database)])
    items = np.concatenate([items, np.zeros((len(row) - len(items), lists.levels), np.int64)])
    order = np.argsort(query, kind="stable")
    query, key, row = query[order], key[order], row[order]
    for mine in _by_query(query, lists.queries):
        within = np.lexsort((row[mine], key[mine]))
        key[mine], row[mine], order[mine] = key[mine][within], row[mine][within], order[mine][within]
    return Edges(key, row, query, np.searchsorted(query, np.arange(lists.queries + 1)), items[order])


def _by_query(query: np.ndarray, queries: int) -> Iterator[slice]:
    """Yield the places of each query in an ascending array of query numbers."""
    starts = np.searchsorted(query, np.arange(queries + 1)).tolist()
    yield from map(slice, starts[:-1], starts[1:])


def _table(edges: Edges, below: np.ndarray, equal: np.ndarray, total: np.ndarray) -> np.ndarray:
    queries, count = len(edges.starts) - 1, np.diff(edges.starts)
    levels = edges.items.shape[1]
    small = total.max(initial=0) < 2**31  # half the memory, which is most of the work here
    counts = np.zeros((queries, edges.width, levels), np.int32 if small else np.int64)
    cells, place = counts.reshape(-1), edges.places * levels
    gap = np.diff(below, prepend=0)
    gap[1:] -= equal[:-1]
    has = np.flatnonzero(count)
    first, last = edges.starts[has], edges.starts[has + 1] - 1
    gap[first] = below[first]
    end = np.zeros(queries, np.int64)
    end[has] = below[last] + equal[last]
    cells[place] = gap
    for level in range(1, levels):
        cells[place + levels + level] = edges.items[:, level]
        equal = equal - edges.items[:, level]
    cells[place + levels] = equal
    counts[np.arange(queries), 2 * count, 0] = total - end
    return counts


def _distances(keys: Keys, edges: Edges) -> np.ndarray:
    distances = np.full((len(edges.starts) - 1, edges.width), np.inf)
    cells, shown = distances.reshape(-1), keys.distances(edges.query, edges.keys)
    cells[edges.places] = cells[edges.places + 1] = shown
    return distances
