"""Labels for methods that learn to name the class: an item that has several is there once for each (paper 4)."""

from __future__ import annotations

import numpy as np

from evenrank.method import Method


def replicated(method: Method, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (rows, class numbers), one for each label of each item; a class that no item has gets no number.

    `y` are class numbers (items,) or a matrix (items, classes) of bool. A single class is refused.
    """
    rows, labels = np.nonzero(y) if y.ndim == 2 else (np.arange(len(y)), y)
    classes, labels = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"labels of {type(method).__name__} must be of at least two classes; got {len(classes)}")
    return rows, labels
