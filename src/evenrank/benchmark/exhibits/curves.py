"""Curves over ranks and over Hamming distances, exact over tie orders.

CMC and precision-recall come from the results, mean over splits. Precision at each rank and the items at each distance
are read from tallies again, of at most 1,000 queries of the first split.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from evenrank.benchmark.exhibits.plain import number, numbers
from evenrank.benchmark.final import Search
from evenrank.codes import Codes
from evenrank.counting import tallies
from evenrank.groups import Groups
from evenrank.protocol import order
from evenrank.result import Result

QUERIES = 1000
POINTS = 100


class Sample(NamedTuple):
    """Means over some queries: precision at `ranks`; of codes also items and relevant items at each distance."""

    ranks: np.ndarray
    precision: np.ndarray
    relevant: np.ndarray
    items: np.ndarray


def sample(search: Search, seed: int) -> Sample:
    """Return what a draw of the queries finds, or all of them if they are few."""
    rows = np.sort(order(len(search.queries), seed)[:QUERIES])
    ranks = _ranks(len(search.database), POINTS)
    precision = np.zeros(len(ranks))
    width = search.queries.bits + 1 if isinstance(search.queries, Codes) else 0
    relevant, items = np.zeros(width), np.zeros(width)
    taken = search.relevance.take(rows)
    for tally in tallies(search.queries[rows], search.database, taken, exclude_self=search.own[rows]):
        groups = tally.groups()
        precision += _found(groups, ranks).sum(axis=0) / ranks
        relevant += groups.relevant.sum(axis=0)[:width]
        items += groups.items.sum(axis=0)[:width]
    return Sample(ranks, precision / len(rows), relevant / len(rows), items / len(rows))


def _found(groups: Groups, ranks: np.ndarray) -> np.ndarray:
    """Return the expected number of relevant items above each rank, (queries, ranks).

    Over tie orders a group adds its share of relevant items at each of its ranks: the number is linear inside a group.
    """
    before = np.concatenate([np.zeros((len(groups.items), 1)), groups.items.cumsum(axis=1)], axis=1)
    relevant = np.concatenate([np.zeros((len(groups.items), 1)), groups.relevant.cumsum(axis=1)], axis=1)
    return np.stack([np.interp(ranks, *query) for query in zip(before, relevant, strict=True)])


def curves(results: list[Result], sampled: Sample) -> dict[str, Any]:
    """Return x and y of each curve by name."""
    ranks = _ranks(min(result.provenance["database"] for result in results), POINTS)
    recall = results[0].curve("precision-recall").x
    return {
        "CMC": _curve(ranks, np.mean([result.curve("CMC", ranks).y for result in results], axis=0)),
        "precision-recall": _curve(recall, np.mean([result.precision for result in results], axis=0)),
        "precision": _curve(sampled.ranks, sampled.precision),
    }


def hits(sampled: Sample) -> dict[str, Any]:
    """Return the number of items and of relevant items at each Hamming distance, mean per query."""
    return {
        "distance": list(range(len(sampled.items))),
        "relevant": [number(value, 4) for value in sampled.relevant],
        "items": [number(value, 4) for value in sampled.items],
    }


def _ranks(items: int, count: int) -> np.ndarray:
    """Return ranks from 1 to the last, dense at the start."""
    return np.unique(np.geomspace(1, items, count).round().astype(np.int64))


def _curve(x: np.ndarray, y: np.ndarray) -> dict[str, list[float | None]]:
    return {"x": numbers(x), "y": numbers(y, 5)}
