"""Numbers as JSON has them: short, and None where there is none."""

from __future__ import annotations

from math import isfinite

import numpy as np

DIGITS = 6  # significant ones: more than a figure can show


def number(value: float, digits: int = DIGITS) -> float | None:
    """Return a value, rounded; None if it is not finite.

    >>> number(0.123456789), number(float("nan"))
    (0.123457, None)
    """
    return float(f"{value:.{digits}g}") if isfinite(value) else None


def numbers(values: np.ndarray, digits: int = DIGITS) -> list[float | None]:
    """Return a list of values, rounded; None for those that are not finite."""
    return [number(value, digits) for value in np.asarray(values, np.float64).tolist()]
