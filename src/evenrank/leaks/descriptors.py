"""Vectors in which near-duplicates lie close together.

Features are their own. An image is shrunk to 16 × 16 grey values by area means, the means of its rows and columns are
taken out, and the rest is brought to length 1. Brightness, contrast and colour of a copy do not matter then, nor does
what most photographs have in common: a bright sky over a dark ground is row means and nothing else.
"""

from __future__ import annotations

import numpy as np

from evenrank.arrays import BLOCK
from evenrank.dataset import Media
from evenrank.formats.images import ImageFiles

SIDE = 16
GREY = (0.299, 0.587, 0.114)  # of red, green and blue
FLAT = 1.0  # an image that differs from its row and column means by less, in grey levels, shows nothing


def descriptors(values: Media) -> np.ndarray | None:
    """Return vectors (n, d), or None for texts and for images in files, which would all have to be decoded."""
    if isinstance(values, ImageFiles) or values.ndim == 1:
        return None
    if values.ndim == 2:
        return values if values.dtype.kind == "f" else values.astype(np.float32)
    step = max(1, BLOCK // int(np.prod(values.shape[1:])))
    return np.concatenate([_shapes(values[first : first + step]) for first in range(0, len(values), step)])


def _shapes(images: np.ndarray) -> np.ndarray:
    """Return the descriptors of images (n, height, width[, 3]), (n, 256) float32."""
    grey = images.astype(np.float32)
    if grey.ndim == 4:
        grey = sum(weight * grey[..., channel] for channel, weight in enumerate(GREY))  # type: ignore[assignment]
    grid = _shrunk(_shrunk(grey, 1), 2)
    grid = grid - grid.mean(axis=1, keepdims=True) - grid.mean(axis=2, keepdims=True) + grid.mean((1, 2), keepdims=True)
    vectors = grid.reshape(len(grid), -1)
    return vectors / np.maximum(FLAT, np.sqrt((vectors**2).sum(axis=1, keepdims=True)))


def _shrunk(grey: np.ndarray, axis: int) -> np.ndarray:
    size = grey.shape[axis]
    edges = np.arange(min(SIDE, size)) * size // min(SIDE, size)
    shape = [1, 1, 1]
    shape[axis] = -1
    return np.add.reduceat(grey, edges, axis=axis) / np.diff(edges, append=size).astype(np.float32).reshape(shape)
