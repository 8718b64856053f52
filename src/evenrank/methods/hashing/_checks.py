"""What several methods ask of features before they learn."""

from __future__ import annotations

import numpy as np

from evenrank.method import Method


def check_varied(method: Method, x: np.ndarray) -> None:
    """Raise ValueError if all items are alike: there is then nothing to tell apart."""
    if not any((row != x[0]).any() for row in x):  # ends at the second row, as a rule
        raise ValueError(f"features of {type(method).__name__} must vary; got {len(x)} items that are all alike")
