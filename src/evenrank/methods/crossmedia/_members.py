"""Which items are of which class, as a matrix: the same for one class an item and for several."""

from __future__ import annotations

import numpy as np

from evenrank.method import Method
from evenrank.methods.crossmedia._labels import replicated


def members(method: Method, y: np.ndarray) -> np.ndarray:
    """Return (items, classes) bool from class numbers or such a matrix, without classes that no item has.

    A single class is refused.
    """
    rows, labels = replicated(method, y)
    belongs = np.zeros((len(y), labels.max() + 1), dtype=bool)
    belongs[rows, labels] = True
    return belongs
