"""Holm's correction: how sure a finding is when it is one of several that were looked for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def holm(probabilities: ArrayLike) -> np.ndarray:
    """Return adjusted p values (Holm 1979): the chance of any false finding is at most the level they are held against.

    The smallest of m is multiplied by m, the next by m - 1, and so on; none may be below one before it.

    >>> holm([0.04, 0.01, 0.02]).tolist()
    [0.04, 0.03, 0.04]
    """
    given = np.asarray(probabilities, np.float64)
    order = np.argsort(given, kind="stable")
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)), 1)
    return adjusted
