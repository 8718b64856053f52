"""Every pair of many methods at once: Student's t over queries and runs.

The standard error is the one that intervals of `compare` have (`error`), for all pairs from one matrix of covariances.
Where `compare` takes milliseconds a pair, two hundred methods take milliseconds here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtr

from evenrank.significance.holm import holm
from evenrank.significance.runs import defined

ROUNDING = 1e-12  # of the variances: a difference that varies less than this does not vary


def every_pair(samples: Sequence[np.ndarray]) -> np.ndarray:
    """Return the p of every pair being equal, (methods, methods), Holm-corrected; 1 where the data says nothing.

    Each sample is (runs, queries) of the same queries.

    >>> values = [np.array([[0.1, 0.3, 0.2, 0.5]]), np.array([[0.4, 0.5, 0.5, 0.7]]), np.array([[0.2, 0.2, 0.3, 0.4]])]
    >>> (every_pair(values) < 0.05)[0].tolist()
    [False, True, False]
    """
    kept = defined(*samples)
    runs = [sample[:, kept].mean(axis=1) for sample in samples]
    queries = np.stack([sample[:, kept].mean(axis=0) for sample in samples])
    return pairs_of(runs, queries)


def pairs_of(runs: Sequence[np.ndarray], queries: np.ndarray | None = None) -> np.ndarray:
    """Return the same from the means of runs, and of queries (methods, queries) where there are some."""
    means = np.array([each.mean() for each in runs])
    variances = [_pairwise_runs(runs)]
    if queries is not None and queries.shape[1] > 1:
        variances.append(_pairwise_queries(queries))
    total = sum(variance for variance, _ in variances)
    shares = sum(share for _, share in variances)
    apart = np.abs(means[:, None] - means)
    with np.errstate(divide="ignore", invalid="ignore"):
        size, degrees = apart / np.sqrt(total), total**2 / shares
        p = np.where(total > 0, 2 * stdtr(degrees, -size), np.where(apart > 0, 0.0, 1.0))
    above = np.triu_indices(len(means), 1)
    informed = len(variances) > 1 or all(len(each) > 1 for each in runs)
    corrected = np.ones_like(p)
    corrected[above] = holm(p[above]) if informed else 1.0
    return np.minimum(corrected, corrected.T)


def _pairwise_runs(runs: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the variance of each difference that runs cause, and variance² over degrees of freedom."""
    variance = np.array([each.var(ddof=1) / len(each) if len(each) > 1 else 0.0 for each in runs])
    share = np.array([v**2 / (len(each) - 1) if len(each) > 1 else 0.0 for v, each in zip(variance, runs, strict=True)])
    return variance[:, None] + variance, share[:, None] + share


def _pairwise_queries(queries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the variance of each difference that queries cause, and variance² over degrees of freedom."""
    count = queries.shape[1]
    covariance = np.cov(queries).reshape(len(queries), len(queries))
    own = np.diag(covariance)
    variance = own[:, None] + own - 2 * covariance
    variance = np.where(variance > ROUNDING * (own[:, None] + own), variance, 0.0) / count
    return variance, variance**2 / (count - 1)
