"""The trivial solution: the predicted class as a code, a control that every table of supervised hashing should carry.

Where relevance is a shared class, a classifier already ranks: items of the predicted class first, all others after.
Multinomial logistic regression on standardised features predicts the class, and the code is one-hot, so that two items
differ in 0 or 2 bits: exactly two tie groups. That takes one bit a class. ⌈log₂ classes⌉ bits would name the class too,
but some wrong classes would then be nearer than others, by the accident of their numbers. With a matrix of labels there
is one classifier a label, and the code is the predicted labels.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.arrays import row_blocks
from evenrank.codes import LARGEST, Codes
from evenrank.method import Method, linear_codes
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class Trivial(Method):
    """One-hot code of the predicted class, so that items of one predicted class come first and all others after.

    There is one bit for each class or label in training, at most 4096; a single class is refused.
    """

    title = "Trivial solution"
    paper = "Sablayrolles et al., ICASSP 2017"
    supervision = "labels"
    cost = "one logistic regression"

    penalty: Annotated[float, Real(1e-6, 1e6, search=(1e-3, 100), log=True)] = 1 / 30  # of squared weights: C = 30
    iterations: Annotated[int, Integer(1, 100_000)] = 100

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Fit the classifier; the scaling of the features is folded into its weights."""
        self.exclusive_ = y.ndim == 1
        targets = [y] if self.exclusive_ else list(y.T)
        classes = int(y.max()) + 1 if self.exclusive_ else len(targets)
        if classes > LARGEST or (self.exclusive_ and classes == 1):
            raise ValueError(f"labels of Trivial must be of 2 to {LARGEST} classes; got {classes}")
        mean, deviation = x.mean(axis=0, dtype=np.float64), x.std(axis=0, dtype=np.float64)
        scale = np.where(deviation > 1e-9 * np.abs(mean), deviation, np.inf)  # a constant feature has no say
        standard = (x - mean) / scale
        fits = [self._classifier(standard, target) for target in targets]
        self.weights_ = np.concatenate([weights for weights, _ in fits]).T / scale[:, None]  # (dimensions, classes)
        self.biases_ = np.concatenate([biases for _, biases in fits]) - mean @ self.weights_

    def read(self, x: np.ndarray) -> Codes:
        """Return the one-hot class of the highest x W + bias, or the labels for which it is above 0."""
        if not self.exclusive_:
            return linear_codes(x, self.weights_, -self.biases_)
        best = [(block.astype(np.float64) @ self.weights_ + self.biases_).argmax(axis=1) for _, block in row_blocks(x)]
        return Codes.from_bits(np.concatenate(best)[:, None] == np.arange(len(self.biases_)))

    def _classifier(self, x: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return weights (classes, dimensions) and biases: one row a class, or one for a label that is there or not."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression

        if target.min() == target.max():  # a label that no training item has, or every one
            return np.zeros((1, x.shape[1])), np.where(target[:1], 1.0, -1.0)
        model = LogisticRegression(C=1 / self.penalty, max_iter=self.iterations)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the predictions settle long before the weights
            model.fit(x, target)
        weights, biases = model.coef_, model.intercept_
        if self.exclusive_ and len(weights) == 1:
            return np.concatenate([-weights, weights]), np.concatenate([-biases, biases])
        return weights, biases
