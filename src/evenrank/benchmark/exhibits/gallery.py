"""Rankings to look at: for a dozen queries the nearest items, in tie groups.

The chosen queries are drawn, and are the same for every method, so that two can be laid side by side; the best, the
worst and the most tied are the method's own. Of a group that does not fit, some items are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from evenrank.benchmark.exhibits.plain import number
from evenrank.benchmark.final import Search
from evenrank.benchmark.plan import Plan
from evenrank.dataset import Dataset
from evenrank.metric import Spread
from evenrank.protocol import order
from evenrank.search import Group, search
from evenrank.tuning import seed_of

CHOSEN = 6  # queries that all methods show
EXTREME = 2  # of the best, the worst and the most tied each
ITEMS = 20


def gallery(found: Search, plan: Plan, data: Dataset, what: str) -> list[dict[str, Any]]:
    """Return an entry a query: its row in the dataset, why it is shown, its value, and its tie groups."""
    seed = seed_of(plan.seed, what)
    spread = found.result.spreads.get(plan.judge)
    picked = [("chosen", query) for query in _chosen(found, data, seed)]
    picked += [] if spread is None else list(_extreme(spread))
    queries = np.array([query for _, query in picked])
    rankings = dict(zip(queries.tolist(), _rankings(found, queries, seed), strict=True))
    values = {} if spread is None else {query: _value(spread, query) for query in rankings}
    return [
        {
            "query": int(found.split.query[query]),
            "why": why,
            **values.get(query, {"value": None}),
            "asks": found.asks,
            "answers": found.answers,
            "groups": rankings[query],
        }
        for why, query in picked
    ]


def _chosen(found: Search, data: Dataset, seed: int) -> list[int]:
    """Return drawn queries, of as many different classes as there are."""
    drawn = order(len(found.queries), seed)
    if data.labels is None or data.multilabel:
        return drawn[:CHOSEN].tolist()
    labels = data.labels[found.split.query[drawn]]
    _, first = np.unique(labels, return_index=True)
    again = np.ones(len(drawn), bool)  # whether the class has been drawn before
    again[first] = False
    return drawn[np.argsort(again, kind="stable")][:CHOSEN].tolist()


def _extreme(spread: Spread) -> Iterator[tuple[str, int]]:
    """Yield the queries with the largest and smallest values, and those whose value ties decide most."""
    defined = np.flatnonzero(~np.isnan(spread.expected))
    values, reach = spread.expected[defined], (spread.best - spread.worst)[defined]
    for query in defined[np.argsort(-values, kind="stable")][:EXTREME]:
        yield "best", int(query)
    for query in defined[np.argsort(values, kind="stable")][:EXTREME]:
        yield "worst", int(query)
    for place in np.argsort(-reach, kind="stable")[:EXTREME]:
        if reach[place] > 0:
            yield "most tied", int(defined[place])


def _value(spread: Spread, query: int) -> dict[str, Any]:
    """Return a query's value and what it is if ties are broken unluckily and luckily."""
    worst, best = float(spread.worst[query]), float(spread.best[query])
    return {"value": number(float(spread.expected[query])), "range": [number(worst), number(best)]}


def _rankings(found: Search, queries: np.ndarray, seed: int) -> Iterator[list[dict[str, Any]]]:
    """Yield the tie groups of each query: whole ones while they fit, then some items of the next."""
    asking = found.queries[queries]
    near = search(asking, found.database, ITEMS + 1)  # one more: a query may meet itself
    reach = max(sum(group.size for group in near[place]) for place in range(len(queries)))
    near = search(asking, found.database, reach)
    for place, query in enumerate(queries):
        relevant = found.relevance.block([int(query)])[0] >= _threshold(found)
        yield list(_groups(near[place], found.own[query], relevant, found.split.database, seed))


def _threshold(found: Search) -> int:
    """Return the index of the smallest level that counts as relevant."""
    return int(np.searchsorted(found.relevance.levels, found.relevance.threshold))


def _groups(
    groups: list[Group], own: int, relevant: np.ndarray, rows: np.ndarray, seed: int
) -> Iterator[dict[str, Any]]:
    room = ITEMS
    for group in groups:
        members = group.rows[group.rows != own]
        if not len(members) or room <= 0:
            continue
        shown = np.sort(members[order(len(members), seed)[:room]]) if len(members) > room else members
        yield {
            "distance": number(float(group.distance)),
            "size": len(members),
            "relevant": int(relevant[members].sum()),
            "items": [{"row": int(rows[member]), "relevant": bool(relevant[member])} for member in shown],
        }
        room -= len(members)
