"""The database laid out so that near items stay near: t-SNE (van der Maaten and Hinton, JMLR 2008), of 250 items.

With so few the plain algorithm, in which every pair attracts or repels every other in each step, takes a moment, and
every first repeat waits for it. scikit-learn's exact one takes several times as long, and its faster one adds up in an
order that threads decide.
"""

from __future__ import annotations

import numpy as np

ITEMS = 250
PERPLEXITY = 20.0
STEPS = 300
EXAGGERATED = 100  # the first steps, in which neighbours attract more
EXAGGERATION = 12.0
HALVINGS = 40  # of the interval in which a width is searched
LEAST = 1e-12


def tsne(values: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Return a place in the plane for each row of `values`, found from those of `start`, (rows, 2)."""
    attraction = _attraction(_squared(values))
    places = start * (1e-4 / max(float(start[:, 0].std()), LEAST))
    velocity, gain = np.zeros_like(places), np.ones_like(places)
    rate = max(len(values) / EXAGGERATION / 4, 50.0)
    for step in range(STEPS):
        early = step < EXAGGERATED
        gradient = _gradient(attraction * (EXAGGERATION if early else 1.0), places)
        gain = np.maximum(np.where(gradient * velocity < 0, gain + 0.2, gain * 0.8), 0.01)
        velocity = (0.5 if early else 0.8) * velocity - rate * gain * gradient
        places = places + velocity
    centred: np.ndarray = places - places.mean(axis=0)
    return centred


def _gradient(attraction: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return 4 Σ_j (p_ij - q_ij) (y_i - y_j) / (1 + |y_i - y_j|²), the paper's equation 5."""
    kernel = 1.0 / (1.0 + _squared(places))
    np.fill_diagonal(kernel, 0.0)
    force = (attraction - kernel / kernel.sum()) * kernel
    gradient: np.ndarray = 4.0 * (force.sum(axis=1)[:, None] * places - force @ places)
    return gradient


def _attraction(distances: np.ndarray) -> np.ndarray:
    """Return p_ij, which adds up to one: Gaussian neighbourhoods of equal perplexity, made symmetric."""
    rows = len(distances)
    wanted = np.log(min(PERPLEXITY, (rows - 1) / 3))
    low, high = np.full(rows, 1e-10), np.full(rows, 1e10)  # of the precision, searched on a scale of logarithms
    distances = distances / max(float(distances.mean()), LEAST)
    for _ in range(HALVINGS):
        middle = np.sqrt(low * high)
        near = _neighbourhoods(distances, middle)
        wide = -(near * np.log(np.maximum(near, LEAST))).sum(axis=1) > wanted
        low, high = np.where(wide, middle, low), np.where(wide, high, middle)
    near = _neighbourhoods(distances, np.sqrt(low * high))
    return (near + near.T) / (2 * rows)


def _neighbourhoods(distances: np.ndarray, precision: np.ndarray) -> np.ndarray:
    """Return how likely each row is to choose each other one as its neighbour."""
    others = distances + np.diag(np.full(len(distances), np.inf))
    weight = np.exp(-(others - others.min(axis=1, keepdims=True)) * precision[:, None])
    shares: np.ndarray = weight / weight.sum(axis=1, keepdims=True)
    return shares


def _squared(rows: np.ndarray) -> np.ndarray:
    """Return the squared distances of all pairs of rows."""
    norms = (rows * rows).sum(axis=1)
    return np.maximum(norms[:, None] + norms - 2.0 * rows @ rows.T, 0.0)
