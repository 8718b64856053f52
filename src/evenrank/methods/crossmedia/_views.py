"""One modality of the training items, scaled, and the linear maps that are learned on it.

Most methods learn a basis for scaled features. What is kept is one affine map of the features as they come:

    scaled(x) · basis = x · weights + offsets
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evenrank.codes import Codes
from evenrank.embeddings import Embeddings
from evenrank.method import linear_codes

Maps = dict[str, np.ndarray]  # one array a modality


class View(NamedTuple):
    """Scaled training features (items, dimensions) float64, and the mean and deviation that scale others alike."""

    values: np.ndarray
    mean: np.ndarray
    deviation: np.ndarray


def folded(views: dict[str, View], bases: Maps) -> tuple[Maps, Maps]:
    """Return (weights, offsets) of the maps from features as they come to scaled features · basis."""
    weights = {modality: bases[modality] / view.deviation[:, None] for modality, view in views.items()}
    return weights, {modality: -view.mean @ weights[modality] for modality, view in views.items()}


def standardised(x: np.ndarray, ddof: int = 0) -> View:
    """Return features of mean 0 and deviation 1; one that never varies stays 0, whatever it is later."""
    mean, deviation = x.mean(axis=0, dtype=np.float64), x.std(axis=0, dtype=np.float64, ddof=ddof)
    deviation[np.ptp(x, axis=0) == 0] = 1
    return View((x - mean) / deviation, mean, deviation)


def centred(x: np.ndarray) -> View:
    """Return features of mean 0."""
    mean = x.mean(axis=0, dtype=np.float64)
    return View(x - mean, mean, np.ones(x.shape[1]))


def raw(x: np.ndarray) -> View:
    """Return features as they come."""
    return View(x.astype(np.float64), np.zeros(x.shape[1]), np.ones(x.shape[1]))


def linear_embeddings(x: np.ndarray, weights: np.ndarray, offsets: np.ndarray) -> Embeddings:
    """Return x · weights + offsets, to be compared by cosine."""
    return Embeddings(x.astype(np.float64, copy=False) @ weights + offsets)


def affine_codes(x: np.ndarray, weights: np.ndarray, offsets: np.ndarray) -> Codes:
    """Return codes whose bits are x · weights + offsets > 0."""
    return linear_codes(x, weights, -offsets)
