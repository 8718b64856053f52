"""The values of a method: one row a run (a seed, a fold), one column a query; NaN where a query has no value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

Values = ArrayLike | Sequence[ArrayLike]


def as_runs(name: str, values: Values) -> np.ndarray:
    """Return the values of one method as (runs, queries) float64; a plain list is one run.

    >>> as_runs("itq", [0.5, 0.25]).shape
    (1, 2)
    """
    try:
        runs = np.atleast_2d(np.asarray(values, np.float64))
    except (ValueError, TypeError):
        raise ValueError(f"values of {name} must be numbers, as many in every run") from None
    if runs.ndim != 2 or runs.size == 0:
        raise ValueError(f"values of {name} must be (runs, queries), not empty; got {runs.shape}")
    if np.isinf(runs).any():
        raise ValueError(f"values of {name} must be finite, or NaN where undefined; got an infinite one")
    return runs


def aligned(methods: Mapping[str, Values], unit: str) -> dict[str, np.ndarray]:
    """Return the runs of every method; all must have as many columns, each a query (or whatever `unit` says)."""
    found = {name: as_runs(name, values) for name, values in methods.items()}
    counts = {name: runs.shape[1] for name, runs in found.items()}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise ValueError(f"methods must be compared on the same {unit}; got {listed}")
    return found


def defined(*methods: np.ndarray) -> np.ndarray:
    """Return which queries have a value in every run of all these methods, (queries,) bool."""
    return ~np.isnan(np.concatenate(methods)).any(axis=0)
