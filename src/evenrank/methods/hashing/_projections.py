"""Projections that several methods start from: the axes of largest variance, and a random rotation of them."""

from __future__ import annotations

import numpy as np

from evenrank.arrays import row_blocks

NARROW = 1e-5  # of the widest axis: what is narrower is lost in the rounding of float32 products


def principal_axes(x: np.ndarray, mean: np.ndarray, most: int) -> np.ndarray:
    """Return the axes of largest variance as columns, (dimensions, at most `most`), widest first.

    There are as many as the features vary along, which is fewer than dimensions where features are constant.
    """
    from scipy.linalg import eigh

    size, most = len(mean), min(most, len(mean))
    if len(x) < size:  # many dimensions: X = U S Vᵀ gives V without a matrix of dimensions × dimensions
        _, spread, axes = np.linalg.svd(x - mean, full_matrices=False)
        spread, axes = spread[:most], axes[:most].T
    else:
        variance, axes = eigh(_scatter(x, mean), subset_by_index=(size - most, size - 1))  # ascending
        spread, axes = np.sqrt(np.maximum(variance[::-1], 0)), axes[:, ::-1]
    return np.ascontiguousarray(axes[:, spread >= NARROW * spread[0]])


def components(x: np.ndarray, mean: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Return (X − mean) W, (items, axes) float64."""
    return np.concatenate([(block - mean) @ axes for _, block in row_blocks(x)])


def random_rotation(size: int, random: np.random.Generator) -> np.ndarray:
    """Return an orthogonal matrix (size, size), all equally likely: Q of a random QR, with R's diagonal positive."""
    q, r = np.linalg.qr(random.standard_normal((size, size)))
    return q * np.sign(np.diag(r))


def _scatter(x: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Return (X − mean)ᵀ (X − mean), (dimensions, dimensions) float64."""
    total = np.zeros((len(mean), len(mean)))
    for _, block in row_blocks(x):
        centred = block - mean
        total += centred.T @ centred
    return total
