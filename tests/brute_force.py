"""Every metric by its definition, on every order of tied items: what the closed forms must equal.

A query is a list of tie groups, nearest first, each a list of levels; group number g lies at distance g. All distinct
arrangements of the levels inside the groups are equally likely. `rankings` lists them, one a row, and each metric is
written as its textbook formula over such rows.
"""

from __future__ import annotations

from itertools import chain, permutations, product
from math import comb

import numpy as np

from evenrank.metric import Metric, Spread
from evenrank.tally import Tally

Query = list[list[int]]


def tally_of(queries: list[Query], levels: list[int], threshold: int = 1) -> Tally:
    """Return the tally of queries given as groups of levels; shorter ones are padded with empty groups."""
    width = max(1, *(len(groups) for groups in queries))
    counts = np.zeros((len(queries), width, len(levels)), np.int64)
    for query, groups in enumerate(queries):
        for group, members in enumerate(groups):
            for level in members:
                counts[query, group, levels.index(level)] += 1
    return Tally(counts, np.array(levels), np.arange(width), threshold)


def rankings(groups: Query) -> np.ndarray:
    """Return every distinct order of the levels, (orders, items)."""
    arrangements = [sorted(set(permutations(group))) for group in groups]
    return np.array([list(chain(*order)) for order in product(*arrangements)], dtype=np.int64).reshape(
        -1, sum(map(len, groups))
    )


def spread(metric: Metric, groups: Query, levels: list[int]) -> Spread:
    """Return mean, best, worst and standard deviation of the metric over all tie orders, each a scalar array."""
    values = value(metric, rankings(groups), np.array([g for g, group in enumerate(groups) for _ in group]), levels)
    return Spread(values.mean(), values.max(), values.min(), values.std())


def value(metric: Metric, ranking: np.ndarray, distance: np.ndarray, levels: list[int]) -> np.ndarray:
    """Return the metric of each ranking, (orders,); 0 where it is undefined."""
    name = type(metric).__name__
    above = cut(metric, ranking, distance)
    if name in ("DiscountedCumulativeGain", "NormalizedDiscountedCumulativeGain"):
        return discounted(metric, ranking, above)
    if name == "TiedPairs":
        same = distance[:, None] == distance[None, :]
        return np.triu(same & (ranking[:, :, None] != ranking[:, None, :])).sum(axis=(1, 2)).astype(float)
    if name == "Undecided":
        first = ranking[:, distance == distance[:1]]
        return np.array([float(len(set(row)) > 1) for row in first])
    relevant = ranking >= (metric.rel or 1)
    total = relevant.sum(axis=1)
    found = (relevant & above).sum(axis=1)
    retrieved = above.sum(axis=1) if metric.cutoff.kind != "rank" else metric.cutoff.value
    if name == "Precision":
        retrieved = total if metric.cutoff.kind == "relevant" else retrieved
        return found / np.maximum(retrieved, 1)
    if name == "Recall":
        return found / np.maximum(total, 1)
    if name == "F1":
        return 2 * found / np.maximum(retrieved + total, 1)
    if name == "Success":
        return (found > 0).astype(float)
    rank = np.arange(1, ranking.shape[1] + 1)
    if name == "ReciprocalRank":
        return np.where(relevant & above, 1 / rank, 0).max(axis=1, initial=0)
    if name == "AveragePrecision":
        return average_precision(metric, relevant, above)
    raise NotImplementedError(name)


def cut(metric: Metric, ranking: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """Return which ranks lie above the cut, (orders, items)."""
    rank = np.arange(1, ranking.shape[1] + 1)
    kind, at = metric.cutoff.kind, metric.cutoff.value
    if kind == "relevant":
        return rank <= (ranking >= (metric.rel or 1)).sum(axis=1, keepdims=True)
    keep = {"none": rank > 0, "rank": rank <= at, "radius": distance <= at}[kind]
    return np.broadcast_to(keep, ranking.shape)


def average_precision(metric: Metric, relevant: np.ndarray, above: np.ndarray) -> np.ndarray:
    rank = np.arange(1, relevant.shape[1] + 1)
    hits = relevant.cumsum(axis=1)
    height = hits / rank
    if metric.interpolation == "trapezoid":
        earlier = np.concatenate([np.ones((len(relevant), 1)), height], axis=1)[:, :-1]
        height = (height + earlier) / 2
    total, found = relevant.sum(axis=1), (relevant & above).sum(axis=1)
    limit = metric.cutoff.value if metric.cutoff.kind == "rank" else above.sum(axis=1)
    divisor = {"relevant": total, "retrieved": found, "min": np.minimum(limit, total)}[metric.divisor]
    return (height * (relevant & above)).sum(axis=1) / np.maximum(divisor, 1)


def discounted(metric: Metric, ranking: np.ndarray, above: np.ndarray) -> np.ndarray:
    rank = np.arange(1, ranking.shape[1] + 1)
    discount = 1 / np.log2(rank + 1) if metric.discount == "log2" else 1 / rank

    def total(rows: np.ndarray) -> np.ndarray:
        gain = 2.0**rows - 1 if metric.gain == "exponential" else rows
        return (gain * discount * above).sum(axis=1)

    if type(metric).__name__ == "DiscountedCumulativeGain":
        return total(ranking)
    ideal = total(-np.sort(-ranking, axis=1))
    return np.where(ideal > 0, total(ranking) / np.where(ideal > 0, ideal, 1), 0)


def local_group_average_precision(
    query: np.ndarray, database: np.ndarray, relevant: np.ndarray, radius: int, dispersion: str
) -> float:
    """Return LGAP of one query, by its definition: codes are rows of 0 and 1."""
    distance = (query != database).sum(axis=1)
    total = 0.0
    for j in range(radius + 1):
        inside = distance <= j
        if not inside.any():
            continue
        _, counts = np.unique(database[inside], axis=0, return_counts=True)
        volume = sum(comb(len(query), i) for i in range(j + 1))
        share = counts / counts.sum()
        phi = {
            "ball": counts.sum() / (counts.max() * volume),
            "occupied": counts.mean() / counts.max(),
            "entropy": 1.0 if volume == 1 else -(share * np.log(share)).sum() / np.log(volume),
        }[dispersion]
        total += relevant[inside].mean() * phi
    return total / (radius + 1)
