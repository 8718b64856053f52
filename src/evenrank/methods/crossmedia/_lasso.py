"""The lasso for many items and one dictionary, by coordinate descent.

Compiled, because an item takes hundreds of steps that each wait for the one before.
"""

from __future__ import annotations

import numpy as np
from numba import njit

SWEEPS = 1000  # over all atoms, at most
TOLERANCE = 1e-6  # an item is done when a sweep moves no product with an atom by more than this share of the largest


def sparse_codes(x: np.ndarray, dictionary: np.ndarray, sparsity: float) -> np.ndarray:
    """Return for each item the s that minimises ½ ‖x − s D‖² + w |s|₁, (items, atoms), for D (atoms, dimensions).

    w = sparsity · max |D x|, so that 1 leaves no atom, and an item of twice the length gets twice the s.
    """
    return np.asarray(_descend(dictionary @ dictionary.T, x @ dictionary.T, sparsity))


@njit(cache=True, nogil=True)
def _descend(gram: np.ndarray, products: np.ndarray, sparsity: float) -> np.ndarray:
    """Return s: one coefficient after another is set to its best value for the others."""
    codes = np.zeros(products.shape)
    for item in range(len(products)):
        s, slope = codes[item], products[item].copy()  # slope = D (x − s D)
        largest = np.abs(slope).max()
        for _ in range(SWEEPS):
            moved = 0.0
            for atom in range(len(s)):
                norm = gram[atom, atom]
                free = slope[atom] + norm * s[atom]
                best = np.sign(free) * max(abs(free) - sparsity * largest, 0.0)
                change = best / norm - s[atom] if norm > 0 else 0.0
                if change != 0:
                    s[atom] += change
                    slope -= change * gram[atom]
                    moved = max(moved, abs(change) * norm)
            if moved <= TOLERANCE * largest:
                break
    return codes
