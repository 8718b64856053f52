"""Success: is there a relevant item among the first k? CMC is the curve of it over k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from evenrank.curves import first_relevant
from evenrank.cutoff import Kind
from evenrank.metric import Metric, Spread
from evenrank.parameters import Integer
from evenrank.tally import Tally
from evenrank.tie_orders.first_hit import log_chance_of_none


@dataclass(frozen=True)
class Success(Metric):
    """1 if a relevant item lies among the first k: CMC@k, and what metric learning calls Recall@k.

    Over tie orders the probability is 1 - C(n - n⁺, s) / C(n, s) for the first group that holds a relevant item, with
    n items, n⁺ of them relevant and s ranks above the cut.

    >>> from evenrank.cutoff import Cutoff
    >>> tally = Tally([[[2, 1], [1, 2]]], levels=[0, 1], distances=[0, 1])
    >>> Success(Cutoff("rank", 1)).spread(tally).expected.round(4)
    array([0.3333])
    """

    names: ClassVar[tuple[str, ...]] = ("Success", "CMC", "hit", "hit_rate")
    cutoffs: ClassVar[tuple[Kind, ...]] = ("rank",)

    rel: Annotated[int | None, Integer(1)] = None

    def spread(self, tally: Tally) -> Spread:
        """Return Success of each query over tie orders."""
        before, items, relevant = first_relevant(tally.groups(self.rel)).T
        slots = np.clip(self.cutoff.value - before, 0, items)
        missed = log_chance_of_none(items, relevant, slots)
        chance = -np.expm1(missed)
        some = relevant > 0
        best, worst = some & (slots > 0), some & (slots > items - relevant)
        return Spread(chance, best.astype(float), worst.astype(float), np.sqrt(chance * np.exp(missed)))


def success_curve(before: np.ndarray, items: np.ndarray, relevant: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Return the mean over queries of Success at each of `ranks`, (ranks,); NaN without queries.

    `before`, `items` and `relevant` describe each query's first group with a relevant item, (queries,).

    >>> success_curve(np.array([0, 1]), np.array([2, 1]), np.array([1, 1]), np.array([1, 2])).tolist()
    [0.25, 1.0]
    """
    triples, count = np.unique(np.stack([before, items, relevant]), axis=1, return_counts=True)
    before, items, relevant = triples
    chance = np.full(len(ranks), np.nan)
    for i, rank in enumerate(ranks if len(count) else ()):
        slots = np.clip(rank - before, 0, items)
        chance[i] = np.average(-np.expm1(log_chance_of_none(items, relevant, slots)), weights=count)
    return chance
