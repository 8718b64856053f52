"""Features in which every direction weighs the same, so that pairs of directions are singular vectors.

With covariances S_x = XᵀX / n + r I and S_y alike, the pairs (w_x, w_y) of CCA and its relatives solve

    B S_y⁻¹ Bᵀ w_x = λ² S_x w_x,    w_y = S_y⁻¹ Bᵀ w_x / λ

for some B between the modalities. Put w_x = K_x u and w_y = K_y v, K = S^(−1/2): then K_xᵀ B K_y = Σ λ u vᵀ. Only the
space that the items span matters, since B is 0 elsewhere. K is taken there alone: it costs no more than the smaller of
items and dimensions, and without regularisation (r = 0) it is the pseudo-inverse, defined for any features.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

NARROW = 1e-6  # of the widest direction: what is narrower is the rounding of float32 features


class Whitened(NamedTuple):
    """The map K (dimensions, rank) and whitened items X K (items, rank)."""

    basis: np.ndarray
    values: np.ndarray


def span(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the axes (dimensions, rank) along which rows lie, widest first, and their singular values (rank,)."""
    from scipy.linalg import eigh

    if len(x) < x.shape[1]:
        _, spread, rows = np.linalg.svd(x, full_matrices=False)
        axes = rows.T
    else:
        squares, axes = eigh(x.T @ x)  # ascending
        spread, axes = np.sqrt(np.maximum(squares[::-1], 0)), axes[:, ::-1]
    kept = spread > NARROW * spread[0]
    return axes[:, kept], spread[kept]


def whitened(x: np.ndarray, regularisation: float) -> Whitened:
    """Return K = (XᵀX / n + r I)^(−1/2) on the span of centred rows, and X K."""
    axes, spread = span(x)
    basis = axes / np.sqrt(spread**2 / len(x) + regularisation)
    return Whitened(basis, x @ basis)


def paired(between: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of directions u (rank_x, pairs) and v (rank_y, pairs), strongest first.

    Pairs of strength 0 are left out: nothing determines them.
    """
    left, strengths, right = np.linalg.svd(between, full_matrices=False)
    kept = strengths >= NARROW * strengths[0]
    return left[:, kept], right[kept].T


def strongest(between: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the strength of the strongest pair of directions, u (rank_x,) and v (rank_y,)."""
    from scipy.linalg import eigh

    last = between.shape[1] - 1
    v = eigh(between.T @ between, subset_by_index=(last, last))[1][:, 0]
    u = between @ v
    strength = float(np.linalg.norm(u))
    return strength, u / (strength or 1), v
