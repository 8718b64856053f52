"""Average ranks and their critical difference: the data of a critical-difference diagram (Demšar 2006)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc


class Ranks(NamedTuple):
    """Average ranks, 1 the best; those that differ by less than `critical` do not differ.

    `p` is Friedman's: how likely ranks this unequal are if no method is better than any other.
    """

    average: np.ndarray
    critical: float
    p: float


def average_ranks(values: np.ndarray, confidence: float = 0.95) -> Ranks:
    """Return the ranks of the columns of `values` (blocks, methods), where a block is a query, a run or a dataset.

    Equal values share their ranks. CD = q √(k (k + 1) / 6 n) with Nemenyi's q, the quantile of the studentised range
    of k methods over √2; Friedman's χ² is corrected for ties.

    >>> average_ranks(np.array([[0.9, 0.5, 0.5], [0.8, 0.7, 0.1]])).average.tolist()
    [1.0, 2.25, 2.75]
    """
    from scipy.stats import rankdata, studentized_range

    blocks, methods = values.shape
    if blocks == 0:
        return Ranks(np.full(methods, np.nan), np.nan, np.nan)
    ranks = rankdata(-values, axis=1)
    unequal = np.square(ranks.sum(axis=0) - blocks * (methods + 1) / 2).sum()
    scatter = np.square(ranks - (methods + 1) / 2).sum()
    p = float(chdtrc(methods - 1, (methods - 1) * unequal / scatter)) if scatter else 1.0
    quantile = studentized_range.ppf(confidence, methods, np.inf) / np.sqrt(2)
    return Ranks(ranks.mean(axis=0), float(quantile * np.sqrt(methods * (methods + 1) / (6 * blocks))), p)
