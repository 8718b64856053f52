"""Reciprocal rank: how early the first relevant item comes."""

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
from evenrank.tie_orders.partial_sums import drop

HEAD, CHUNK = 512, 64  # ranks of the group added up one by one, and how many at a time
NEGLIGIBLE = 1e-18
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)


@dataclass(frozen=True)
class ReciprocalRank(Metric):
    """One over the rank of the first relevant item; 0 if a cut at rank k comes before it. Its mean is MRR.

    Over tie orders, with N items before the first group that holds a relevant one, n items and m relevant ones in it:
    RR = Σ_t p_t / (N + t), where p_t = C(n - t, m - 1) / C(n, m) is the chance that the first relevant one is the t-th.

    >>> tally = Tally([[[2, 1], [1, 2]]], levels=[0, 1], distances=[0, 1])
    >>> ReciprocalRank().spread(tally).expected.round(4)
    array([0.6111])
    """

    names: ClassVar[tuple[str, ...]] = ("RR", "MRR", "reciprocal_rank")
    aliases: ClassVar[dict[str, str]] = {"mean_reciprocal_rank": "RR"}
    cutoffs: ClassVar[tuple[Kind, ...]] = ("none", "rank")

    rel: Annotated[int | None, Integer(1)] = None

    def spread(self, tally: Tally) -> Spread:
        """Return RR of each query over tie orders."""
        first = first_relevant(tally.groups(self.rel))
        triples, query = np.unique(first, axis=0, return_inverse=True)
        before, items, relevant = triples.T.astype(float)
        furthest = items - relevant + 1  # the last place in its group that the first relevant item can have
        last = np.maximum(np.minimum(furthest, self.cutoff.value - before), 0) if self.cutoff.value else furthest
        mean, variance = _moments(before, items, relevant, np.where(relevant > 0, last, 0))
        best = np.where(last >= 1, 1 / (before + 1), 0)
        worst = np.where(last == furthest, 1 / (before + furthest), 0)
        values = (mean, best, worst, np.sqrt(variance))
        return Spread(*(np.where(relevant > 0, value, 0)[query.ravel()] for value in values))


def _moments(
    before: np.ndarray, items: np.ndarray, relevant: np.ndarray, last: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and variance of 1 / (before + t) where t ≤ last, and of 0 beyond.

    The variance is taken about 1 / (before + 1) deep in the ranking, where all values are nearly equal, else about 0.
    """
    about = np.where(before > items, 1 / (before + 1), 0)
    sums = np.zeros((3, len(before)))  # Σ p v, Σ p (v - about), Σ p (v - about)²
    left = _head(before, items, relevant, last, about, sums)
    far = np.flatnonzero((last > HEAD) & (left > NEGLIGIBLE))
    if len(far):
        sums[:, far] += _tail(before[far], items[far], relevant[far], last[far], about[far])
    beyond = np.exp(log_chance_of_none(items, relevant, last))
    mean, first, second = sums
    return mean, np.maximum(second + beyond * about**2 - (first - beyond * about) ** 2, 0)


def _head(
    before: np.ndarray, items: np.ndarray, relevant: np.ndarray, last: np.ndarray, about: np.ndarray, sums: np.ndarray
) -> np.ndarray:
    """Add the first `HEAD` places to `sums`; return the chance that the first relevant item is none of them."""
    left = np.ones(len(before))
    for start in range(0, HEAD, CHUNK):
        rows = np.flatnonzero((last > start) & (left > NEGLIGIBLE))
        if not len(rows):
            break
        n, m, place = items[rows, None], relevant[rows, None], np.arange(start, start + CHUNK)  # items passed
        remaining = np.maximum(n - place, 1)
        stay = np.cumprod(np.maximum(n - m - place, 0) / remaining, axis=1) * left[rows, None]
        here = np.concatenate([left[rows, None], stay[:, :-1]], axis=1) * np.minimum(m / remaining, 1)
        sums[:, rows] += _weighted(here * (place < last[rows, None]), before[rows, None], place, about[rows, None])
        left[rows] = stay[:, -1]
    return left


def _tail(
    before: np.ndarray, items: np.ndarray, relevant: np.ndarray, last: np.ndarray, about: np.ndarray
) -> np.ndarray:
    """Return the sums over places HEAD + 1 … last: ∫ f - (f'(b) - f'(a)) / 24 between the midpoints.

    f is smooth in log t, so Gauss–Legendre quadrature integrates it up to where next to nothing is left.
    """
    end = np.minimum(last, np.ceil(items * -np.expm1(np.log(NEGLIGIBLE) / relevant)))
    start, stop = np.full(len(end), HEAD + 0.5), np.maximum(end, HEAD) + 0.5
    width = np.log(stop / start)

    def at(place: np.ndarray) -> np.ndarray:
        chance = relevant / items * np.exp(log_chance_of_none(items - 1, relevant - 1, place - 1))
        return _weighted(chance[:, None], before[:, None], place[:, None] - 1, about[:, None])

    slopes = at(stop + 0.5) - at(stop - 0.5) - at(start + 0.5) + at(start - 0.5)
    total: np.ndarray = -slopes / 24
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        place = start * np.exp(width * (1 + node) / 2)
        total += weight * width / 2 * place * at(place)
    return total


def _weighted(chance: np.ndarray, before: np.ndarray, place: np.ndarray, about: np.ndarray) -> np.ndarray:
    """Return Σ p v, Σ p (v - about), Σ p (v - about)² over the second axis, (3, rows); v = 1 / (before + 1 + place)."""
    value = 1 / (before + 1 + place)
    off = np.where(about > 0, drop("reciprocal", before, place), value)
    return np.stack([(chance * value).sum(axis=1), (chance * off).sum(axis=1), (chance * off * off).sum(axis=1)])
