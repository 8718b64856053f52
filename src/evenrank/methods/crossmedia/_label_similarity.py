"""What two modalities have in common through the labels of their items (Zhang and Li, AAAI 2014).

Two items are as similar as their labels, S_ij = 2 cos(labels_i, labels_j) − 1, so S = 2 L Lᵀ − 1 1ᵀ with rows of L of
length 1. Then Xᵀ S Y = 2 (XᵀL)(YᵀL)ᵀ − (Xᵀ1)(Yᵀ1)ᵀ, and no matrix of items × items is needed.
"""

from __future__ import annotations

import numpy as np

from evenrank.method import Method


def label_similarity(method: Method, image: np.ndarray, text: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return Xᵀ S Y of images X (items, d) and texts Y (items, e): (d, e). An item without a label is like no other.

    `y` are class numbers (items,) or a matrix (items, classes) of bool. Labels that do not differ are refused.
    """
    labels = np.eye(y.max() + 1)[y] if y.ndim == 1 else y.astype(np.float64)
    if (labels == labels[0]).all():
        raise ValueError(f"labels of {type(method).__name__} must differ; all {len(y)} items have the same")
    lengths = np.linalg.norm(labels, axis=1, keepdims=True)
    labels = labels / np.where(lengths > 0, lengths, 1)
    return 2 * (image.T @ labels) @ (text.T @ labels).T - np.outer(image.sum(axis=0), text.sum(axis=0))
