"""From outputs to embeddings: rows of length 1."""

from __future__ import annotations

import numpy as np

from evenrank.arrays import row_blocks
from evenrank.embeddings import Embeddings


def linear_embeddings(x: np.ndarray, weights: np.ndarray, offset: np.ndarray) -> Embeddings:
    """Return the rows x · weights + offset, normalised; weights (features, dimensions).

    Products are float64 and rounded at the end: a float32 product depends on where in its block a row lies, and equal
    items would get embeddings that differ.
    """
    values = np.empty((len(x), weights.shape[1]), np.float32)
    for first, block in row_blocks(x):
        values[first : first + len(block)] = _unit(block.astype(np.float64, copy=False) @ weights + offset)
    return Embeddings(values)


def normalised(x: np.ndarray) -> Embeddings:
    """Return the rows of x, normalised, as float32."""
    values = np.empty(x.shape, np.float32)
    for first, block in row_blocks(x):
        values[first : first + len(block)] = _unit(block.astype(np.float64, copy=False))
    return Embeddings(values)


def _unit(rows: np.ndarray) -> np.ndarray:
    """Return rows divided by their length; a row of zeros stays, for `Embeddings` to refuse by its number."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1.0))
