"""Two methods: how far apart they are, how sure that is, and what to say about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from evenrank.significance.bootstrap import bootstrap_difference
from evenrank.significance.error import Error, standard_error
from evenrank.significance.permutation import permutation_test
from evenrank.significance.runs import defined

OVERLAP = "the tie ranges overlap: a tool that breaks ties by order could report either first"


class Estimate(NamedTuple):
    """mean(second) - mean(first) with its interval, Cohen's d of the paired differences, p, and queries left out."""

    value: float
    low: float
    high: float
    effect: float
    p: float
    error: Error
    dropped: int


@dataclass(frozen=True)
class Difference:
    """`value` = mean of `second` - mean of `first`, and how sure it is.

    `low` and `high` are its interval, `p` is of this pair alone and `holm` corrected for all pairs, `effect` is Cohen's
    d of the paired differences, `detectable` the difference that would be found four times in five, `dropped` the
    queries without a value in either; `overlap` says whether the ranges over tie orders do.
    """

    first: str
    second: str
    value: float
    low: float
    high: float
    effect: float
    p: float
    holm: float
    detectable: float
    dropped: int
    overlap: bool
    confidence: float

    @property
    def decided(self) -> bool:
        """Return whether one of them is better: neither chance among queries nor among runs explains it."""
        return self.holm <= 1 - self.confidence and not self.low <= 0 <= self.high

    @property
    def answer(self) -> str:
        """Return which is better and by how much, or that this data cannot tell."""
        if self.low == self.high == 0:
            return f"{self.first}, {self.second}: nothing differs"
        if not self.decided:
            unseen = f"a difference below {self.detectable:.4f} would not be seen"
            return f"{self.first}, {self.second}: cannot tell with this data: {unseen}"
        names, (low, high) = (self.second, self.first), (self.low, self.high)
        if self.value < 0:
            names, (low, high) = (self.first, self.second), (-self.high, -self.low)
        return f"{names[0]} is better than {names[1]} by {abs(self.value):.4f} ({low:.4f} … {high:.4f})"


def by_queries(
    first: np.ndarray, second: np.ndarray, *, confidence: float, permutations: int, resamples: int, seed: int
) -> Estimate:
    """Return the difference of two methods, each (runs, queries), paired query by query.

    p permutes each query's difference of averages over runs, so it is about queries and takes the runs as they are;
    the interval resamples runs and queries both.
    """
    first, second, dropped = _paired(first, second, "queries")
    differences = second.mean(axis=0) - first.mean(axis=0)
    error = standard_error(differences, first.mean(axis=1), second.mean(axis=1))
    low, high = bootstrap_difference(first, second, error, confidence, resamples, seed)
    p = permutation_test(differences, permutations, seed)
    return Estimate(float(differences.mean()), low, high, _cohen(differences), p, error, dropped)


def by_runs(first: np.ndarray, second: np.ndarray, *, confidence: float) -> Estimate:
    """Return the difference of two methods, each (1, runs), paired run by run: Student's t test and interval."""
    first, second, dropped = _paired(first, second, "runs")
    differences = (second - first).ravel()
    value, error = float(differences.mean()), standard_error(differences)
    half = error.half_width(confidence)
    size = abs(value) / error.value if error.value else np.inf
    p = float(2 * stdtr(error.degrees, -size)) if value else 1.0
    return Estimate(value, value - half, value + half, _cohen(differences), p, error, dropped)


def _paired(first: np.ndarray, second: np.ndarray, unit: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the columns that have a value in both methods, and how many have not."""
    kept = defined(first, second)
    if kept.sum() < 2:
        raise ValueError(f"a comparison needs at least 2 {unit} with a value in both methods; got {kept.sum()}")
    return first[:, kept], second[:, kept], int((~kept).sum())


def _cohen(differences: np.ndarray) -> float:
    """Return Cohen's d: the mean in units of the standard deviation; NaN if nothing varies."""
    deviation = differences.std(ddof=1)
    return float(differences.mean() / deviation) if deviation else float("nan")
