"""Packed bytes as 64-bit words, the form in which all Hamming kernels read codes."""

from __future__ import annotations

import numpy as np


def to_words(packed: np.ndarray) -> np.ndarray:
    """Return packed codes (n, bytes) as (n, words) uint64, filled up with zeros; read-only codes are copied."""
    count = -(-packed.shape[1] // 8)
    if packed.shape[1] == 8 * count and packed.flags.c_contiguous and packed.flags.writeable:
        words = np.asarray(packed).view(np.uint64)
        if words.flags.aligned:  # numba would compile once more for arrays that are not
            return words
    filled = np.zeros((len(packed), 8 * count), np.uint8)
    filled[:, : packed.shape[1]] = packed
    return filled.view(np.uint64)
