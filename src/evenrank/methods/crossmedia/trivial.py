"""TS, the trivial solution: the predicted class and nothing else (paper 4; Sablayrolles et al., ICASSP 2017).

Where relevance is a shared class, a classifier already ranks: items of the predicted class first, all others after.
The classifiers are those of SM, the class is that of the highest score, and the representation is one-hot, so there are
exactly two cosines, 1 and 0: two tie groups, which only tie-aware metrics evaluate. It costs ⌈log₂ classes⌉ bits an
item, and says nothing about classes that it has not seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenrank.embeddings import Embeddings
from evenrank.methods.crossmedia.semantic_matching import SemanticMatching


@dataclass(eq=False, repr=False, kw_only=True)
class Trivial(SemanticMatching):
    """One-hot vector of the predicted class; a single class is refused."""

    title = "TS"
    paper = "4; Sablayrolles et al., ICASSP 2017"
    supervision = "labels"
    cost = "one logistic regression for each class and modality"

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return the class of the highest score, one-hot."""
        scores = self.scores(x, modality)
        return Embeddings(np.eye(scores.shape[1])[scores.argmax(axis=1)])
