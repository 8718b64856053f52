"""SM, semantic matching: images and texts meet as probabilities of classes (Rasiwasia et al., ACM Multimedia 2010).

One logistic regression for each class and modality (`_classifiers.py`) gives scores z_c = w_c · x + b_c of features as
they come, and an item is represented by

    p_c = s(z_c) / Σ s(z),   s(z) = 1 / (1 + e⁻ᶻ)

compared by cosine. The dimension is the number of classes in training; an item with several labels is learned from
once for each, and a class that no item has is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.special import log_expit, softmax

from evenrank.cross_media_method import CrossMediaMethod
from evenrank.embeddings import Embeddings
from evenrank.methods.crossmedia._classifiers import one_against_rest
from evenrank.methods.crossmedia._labels import replicated
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class SemanticMatching(CrossMediaMethod):
    """Probabilities of the training classes, by logistic regression in each modality; a single class is refused."""

    title = "SM"
    paper = "4; Rasiwasia et al., ACM Multimedia 2010"
    supervision = "labels"
    cost = "one logistic regression for each class and modality"

    penalty: Annotated[float, Real(1e-6, 1e6, search=(1e-3, 100), log=True)] = 1 / 30  # of squared weights: C = 30

    def learn(self, x: dict[str, np.ndarray], y: np.ndarray) -> None:
        """Fit the classifiers of each modality."""
        rows, labels = replicated(self, y)
        fits = {modality: one_against_rest(features[rows], labels, self.penalty) for modality, features in x.items()}
        self.weights_ = {modality: weights for modality, (weights, _) in fits.items()}  # (dimensions, classes)
        self.biases_ = {modality: biases for modality, (_, biases) in fits.items()}  # (classes,)

    def scores(self, x: np.ndarray, modality: str) -> np.ndarray:
        """Return z (items, classes): the higher, the likelier an item is of the class."""
        return x.astype(np.float64, copy=False) @ self.weights_[modality] + self.biases_[modality]

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return p (items, classes), computed by its logarithm: s(z) itself can be 0 for every class."""
        return Embeddings(softmax(log_expit(self.scores(x, modality)), axis=1))
