"""The interval of a difference when queries and runs are both a sample: the two-way bootstrap.

Every resample draws runs of each method and queries anew (Owen 2007, "The pigeonhole bootstrap"). Of a few runs that
alone is far too narrow (three runs show two thirds of their variance, and a normal quantile stands where Student's
should), so the resamples give the shape of the interval and the standard error gives its width.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from evenrank.significance.error import Error

BATCH = 1 << 18  # counts held at a time: they stay in the processor's cache


def bootstrap_difference(
    first: np.ndarray, second: np.ndarray, error: Error, confidence: float, resamples: int, seed: int
) -> tuple[float, float]:
    """Return the interval of mean(second) - mean(first), each (runs, queries) of the same queries.

    Runs are drawn for each method on its own, so the methods need not have equally many.
    """
    value = float(second.mean() - first.mean())
    means = resampled_differences(first, second, resamples, seed)
    if means.std() == 0 or error.value == 0:
        return value, value
    tail = (1 - confidence) / 2
    stretch = error.half_width(confidence) / (-ndtri(tail) * means.std())
    low, high = value + stretch * (np.quantile(means, [tail, 1 - tail]) - value)
    return float(low), float(high)


def resampled_differences(first: np.ndarray, second: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    """Return the difference of the means in every resample, (resamples,); what is drawn does not depend on blocks."""
    random, queries = np.random.default_rng(seed), first.shape[1]
    of_first, of_second = (
        random.multinomial(len(runs), [1 / len(runs)] * len(runs), resamples) for runs in (first, second)
    )
    means, step = np.empty(resamples), max(1, BATCH // queries)
    for start in range(0, resamples, step):
        block = slice(start, min(start + step, resamples))
        of_queries = _drawn(random, block.stop - start, queries)
        means[block] = _mean(second, of_second[block], of_queries) - _mean(first, of_first[block], of_queries)
    return means


def _drawn(random: np.random.Generator, resamples: int, queries: int) -> np.ndarray:
    """Return how often each query is drawn in each resample, (resamples, queries)."""
    draws = random.integers(0, queries, (resamples, queries), np.int32)
    cells = draws + queries * np.arange(resamples)[:, None]
    return np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape).astype(np.float64)


def _mean(values: np.ndarray, of_runs: np.ndarray, of_queries: np.ndarray) -> np.ndarray:
    """Return the mean of the values (runs, queries) in every resample, given how often each run and query is drawn."""
    return ((of_queries @ values.T) * of_runs).sum(axis=1) / values.size
