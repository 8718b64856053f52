"""Counting between edges: a tally whose tie groups are not known beforehand.

The edges of a query are the distinct keys of its relevant items. Its tie groups are, nearest first: the items before
the first edge, those at it, those between it and the second, and so on. What lies between edges is irrelevant, and a run
of irrelevant items changes no metric, so all of it is one group. Breaking ties by row makes every edge (key, row).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenrank.kernels.lists import Lists, ramp
from evenrank.keys import Keys


@dataclass(frozen=True)
class Edges:
    """Edges, query after query, each query's ascending; `items` (edges, levels) counts the relevant items at each."""

    keys: np.ndarray
    rows: np.ndarray  # of the relevant item at the edge; matters in index order only
    query: np.ndarray
    starts: np.ndarray  # (queries + 1,)
    items: np.ndarray


def count_between(
    keys: Keys, lists: Lists, own: np.ndarray, database: int, *, by_index: bool, stops: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (counts, distances) of a tally: (queries, groups, levels) int64 and (queries, groups).

    `own` is each query's own row, which is left out (-1: none). In index order no two items tie, and the keys `stops`
    (for codes every distance) end a group, so that each group lies at one distance: that of its upper end.
    """
    query, row, level = lists.pairs()
    others = row != own[query]
    query, row, level = query[others], row[others], level[others]
    key = keys.of_pairs(query, row)
    if by_index:
        edges = _every_item(query, row, level, key, lists, stops, database)
        below, equal = keys.index_counts(edges.keys, edges.rows, edges.starts), edges.items.sum(axis=1)
    else:
        edges = _distinct(query, row, level, key, lists)
        below, equal = keys.counts(edges.keys, edges.starts)
    below, equal = _without(keys, own, edges, below, equal, by_index)
    return _table(edges, below, equal, database - (own >= 0)), _distances(keys, edges)


def _distinct(query: np.ndarray, row: np.ndarray, level: np.ndarray, key: np.ndarray, lists: Lists) -> Edges:
    order, starts = np.empty(len(key), np.int64), np.searchsorted(query, np.arange(lists.queries + 1))
    for first, last in zip(starts[:-1], starts[1:], strict=True):
        order[first:last] = first + np.argsort(key[first:last])
    key, level = key[order], level[order]
    fresh = np.ones(len(key), bool)
    fresh[1:] = (key[1:] != key[:-1]) | (query[1:] != query[:-1])
    edge = np.cumsum(fresh) - 1
    shape = (int(fresh.sum()), lists.levels)
    items = np.bincount(edge * lists.levels + level, minlength=shape[0] * shape[1]).reshape(shape)
    query = query[fresh]
    return Edges(key[fresh], row[order][fresh], query, np.searchsorted(query, np.arange(lists.queries + 1)), items)


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
    order = np.lexsort((row, key, query))
    query = query[order]
    starts = np.searchsorted(query, np.arange(lists.queries + 1))
    return Edges(key[order], row[order], query, starts, items[order])


def _without(
    keys: Keys, own: np.ndarray, edges: Edges, below: np.ndarray, equal: np.ndarray, by_index: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts without each query's own row."""
    has = np.flatnonzero(own >= 0)
    if not len(has):
        return below, equal
    own_key = np.full(len(own), np.inf)  # of a query without own row: behind every edge
    own_key[has] = keys.of_pairs(has, own[has])
    mine = own_key[edges.query]
    if by_index:
        return below - ((mine < edges.keys) | ((mine == edges.keys) & (own[edges.query] < edges.rows))), equal
    return below - (mine < edges.keys), equal - (mine == edges.keys)


def _table(edges: Edges, below: np.ndarray, equal: np.ndarray, total: np.ndarray) -> np.ndarray:
    queries, count = len(edges.starts) - 1, np.diff(edges.starts)
    counts = np.zeros((queries, 2 * int(count.max(initial=0)) + 1, edges.items.shape[1]), np.int64)
    place = 2 * ramp(count)
    counts[edges.query, place + 1] = edges.items
    counts[edges.query, place + 1, 0] = equal - edges.items[:, 1:].sum(axis=1)
    passed = below + equal  # items up to and at each edge
    previous = np.concatenate(([0], passed[:-1])) if len(passed) else passed
    counts[edges.query, place, 0] = below - np.where(place == 0, 0, previous)
    end = np.zeros(queries, np.int64)
    end[count > 0] = passed[edges.starts[1:][count > 0] - 1]
    counts[np.arange(queries), 2 * count, 0] = total - end
    return counts


def _distances(keys: Keys, edges: Edges) -> np.ndarray:
    count = np.diff(edges.starts)
    distances = np.full((len(count), 2 * int(count.max(initial=0)) + 1), np.inf)
    place, shown = 2 * ramp(count), keys.distances(edges.query, edges.keys)
    distances[edges.query, place] = distances[edges.query, place + 1] = shown
    return distances
