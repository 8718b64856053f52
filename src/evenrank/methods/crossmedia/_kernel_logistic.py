"""Kernel logistic regression on the centres of k-means: from items of one modality to the bits of given codes.

For centres c with K = k(c, c), a bit ±1 of each item and its kernel values k(x, c) = exp(−‖x − c‖² / σ²),

    min over w    Σ log(1 + exp(−bit · k(x) · w)) + γ wᵀ K w

With K = V Λ Vᵀ and w = V Λ^−½ u the penalty is γ |u|², and the regression an ordinary one on features k(x) V Λ^−½.
"""

from __future__ import annotations

import numpy as np

ROUNDS = 100  # of k-means, at most
NEGLIGIBLE = 1e-10  # of the largest eigenvalue of K: what is smaller is rounding


def centres(x: np.ndarray, count: int, random: np.random.Generator) -> np.ndarray:
    """Return the centres of k-means from random items, (centres, dimensions); those left without items are dropped."""
    found = np.unique(x[random.permutation(len(x))[:count]], axis=0)
    for _ in range(ROUNDS):
        member = np.eye(len(found))[squared_distances(x, found).argmin(axis=1)]  # (items, centres), one-hot
        member = member[:, member.any(axis=0)]
        last, found = found, member.T @ x / member.sum(axis=0)[:, None]
        if found.shape == last.shape and np.allclose(found, last):
            break
    return found


def kernel(x: np.ndarray, anchors: np.ndarray, width: float) -> np.ndarray:
    """Return exp(−‖x − c‖² / width) of all pairs, (items, anchors)."""
    return np.exp(-squared_distances(x, anchors) / width)


def classifiers(kernels: np.ndarray, among: np.ndarray, bits: np.ndarray, amount: float) -> np.ndarray:
    """Return w of each bit, (anchors, bits), from k(x) (items, anchors), K and bits (items, bits) of bool."""
    values, vectors = np.linalg.eigh(among)
    kept = values > NEGLIGIBLE * values[-1]
    whitening = vectors[:, kept] / np.sqrt(values[kept])  # V Λ^−½ (anchors, features)
    features = kernels @ whitening
    return np.stack([whitening @ _logistic(features, bit, amount) for bit in bits.T], axis=1)


def squared_distances(x: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return ‖x − o‖² of all pairs, (items, others)."""
    squares = np.square(x).sum(axis=1)[:, None] + np.square(others).sum(axis=1) - 2 * x @ others.T
    return np.maximum(squares, 0)


def _logistic(features: np.ndarray, bit: np.ndarray, amount: float) -> np.ndarray:
    """Return u, (features,)."""
    from scipy.optimize import minimize
    from scipy.special import expit

    signs = np.where(bit, 1.0, -1.0)

    def loss(u: np.ndarray) -> tuple[float, np.ndarray]:
        margins = signs * (features @ u)
        slope = 2 * amount * u - features.T @ (signs * expit(-margins))
        return np.logaddexp(0, -margins).sum() + amount * u @ u, slope

    return np.asarray(minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B").x)
