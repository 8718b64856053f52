"""One logistic regression a class, each against all others: how SM, SCM and TS of paper 4 name classes.

It is liblinear's, as the authors called it (-s 0 -B 1 -c 30): for a class with y = ±1 it minimises

    Σ log(1 + exp(−y (w · x + b))) + penalty / 2 · (|w|² + b²)

so the bias is penalised like a weight, and the features are taken as they come.
"""

from __future__ import annotations

import warnings

import numpy as np


def one_against_rest(x: np.ndarray, labels: np.ndarray, penalty: float) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (dimensions, classes) and biases (classes,) for class numbers 0 … classes − 1."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    # liblinear draws nothing here, but without a seed of its own it moves the global generator
    model = LogisticRegression(C=1 / penalty, solver="liblinear", random_state=0)
    weights, biases = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the ranking settles long before the weights
        for number in range(labels.max() + 1):
            model.fit(x, labels == number)
            weights.append(model.coef_[0])
            biases.append(model.intercept_[0])
    return np.stack(weights, axis=1), np.array(biases)
