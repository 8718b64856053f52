"""Confidence intervals of a mean over queries, or over repeats."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

BATCH = 1 << 22  # resampled values held at a time


def student_interval(values: np.ndarray, confidence: float) -> tuple[float, float]:
    """Return Student's interval: mean ± t s / √n; NaN for fewer than two values."""
    if len(values) < 2:
        return float("nan"), float("nan")
    half = stdtrit(len(values) - 1, (1 + confidence) / 2) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean() - half), float(values.mean() + half)


def half_over_repeats(values: np.ndarray, confidence: float) -> float:
    """Return half of Student's interval; NaN where all are alike, as a method that draws nothing gives no interval.

    >>> half_over_repeats(np.array([0.5, 0.5, 0.5]), 0.95)
    nan
    """
    low, high = student_interval(values, confidence)
    return (high - low) / 2 if np.ptp(values) else float("nan")


def bootstrap_interval(values: np.ndarray, confidence: float, resamples: int, seed: int) -> tuple[float, float]:
    """Return the bias-corrected and accelerated bootstrap interval (Efron 1987) of the mean.

    For a mean the jackknife has a closed form, a = Σ(x - x̄)³ / (6 (Σ(x - x̄)²)^1.5), so the cost is the resampling
    alone; it is done in batches, and the numbers do not depend on their size.
    """
    if len(values) < 2:
        return float("nan"), float("nan")
    centred = values - values.mean()
    if not centred.any():
        return float(values[0]), float(values[0])
    means = np.sort(_resampled_means(values, resamples, seed))
    bias = ndtri(np.clip((means < values.mean()).mean(), 0.5 / resamples, 1 - 0.5 / resamples))
    acceleration = (centred**3).sum() / (6 * (centred**2).sum() ** 1.5)
    tails = bias + ndtri([(1 - confidence) / 2, (1 + confidence) / 2])
    shares = ndtr(bias + tails / (1 - acceleration * tails))
    low, high = np.quantile(means, shares)
    return float(low), float(high)


def _resampled_means(values: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    random, step = np.random.default_rng(seed), max(1, BATCH // len(values))
    means = np.empty(resamples)
    for first in range(0, resamples, step):
        draws = random.integers(0, len(values), (min(step, resamples - first), len(values)), dtype=np.int32)
        means[first : first + step] = values[draws].mean(axis=1)
    return means
