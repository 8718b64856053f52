"""What the tests of gradient-trained methods share: digits, and training with the same pieces by hand."""

from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from evenrank.codes import Codes
from evenrank.continuation import Continuation
from evenrank.evaluate import evaluate
from evenrank.method import Method
from evenrank.methods.hashing._trained import Trained
from evenrank.methods.hashing.lsh import LSH
from evenrank.objective import Objective
from evenrank.relevance import Relevance, SameLabel
from evenrank.training import Training, encode, linear, train

VALUES, DIGITS = load_digits(return_X_y=True)
ORDER = np.random.default_rng(0).permutation(len(VALUES))
X, Y = VALUES[ORDER[:800]].astype(np.float32), DIGITS[ORDER[:800]]
QUERIES, ANSWERS = VALUES[ORDER[800:1100]].astype(np.float32), DIGITS[ORDER[800:1100]]

RATES = {"weight": 100 / 64, "bias": 0.1}  # of a linear map on 64 grey values


def average_precision(method: Method) -> float:
    """Return AP of unseen digits among those of training."""
    found = evaluate(method.encode(QUERIES), method.encode(X), SameLabel(ANSWERS, Y), ["AP"])
    return float(found.mean["AP"])


def check_it_learns(method: Trained, y: Any = Y) -> None:
    """The objective falls, and unseen digits find theirs clearly better than by random projections."""
    method.fit(X, y)
    steps = len(method.losses_) // 5
    assert np.mean(method.losses_[-steps:]) < np.mean(method.losses_[:steps])
    assert average_precision(method) > average_precision(LSH(bits=method.bits).fit(X)) + 0.1


def check_by_hand(
    method: Trained,
    objective: Objective,
    settings: Training,
    continuation: Continuation | None = None,
    relevance: Relevance | None = None,
) -> None:
    """The method is `train` on centred features of unit mean variance, from the seed's linear start."""
    relevance = relevance or SameLabel(Y, Y)
    mean, deviation = X.mean(axis=0, dtype=np.float64), np.sqrt(X.var(axis=0, dtype=np.float64).mean())
    model = linear(X.shape[1], method.bits, method.seed)
    history = train(
        model,
        objective,
        ((X - mean) / deviation).astype(np.float32),
        relevance,
        settings=settings,
        continuation=continuation,
    )
    method.fit(X, relevance)
    expected = Codes.from_signs(encode(model, ((QUERIES - mean) / deviation).astype(np.float32)))
    np.testing.assert_allclose(method.losses_, history.losses, rtol=1e-3)
    assert (method.transform(QUERIES) != expected.signs()).mean() < 0.005
