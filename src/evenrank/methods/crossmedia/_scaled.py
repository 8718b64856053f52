"""The scale of features on which gradient descent learns, so that one learning rate serves them all."""

from __future__ import annotations

import numpy as np

from evenrank.methods.crossmedia._views import View


def scaled(x: np.ndarray) -> View:
    """Return features of mean 0 and mean variance 1: what varies more than the rest keeps counting more."""
    mean, variance = x.mean(axis=0, dtype=np.float64), x.var(axis=0, dtype=np.float64)
    deviation = np.full(x.shape[1], np.sqrt(variance.mean()))
    return View((x - mean) / deviation, mean, deviation)
