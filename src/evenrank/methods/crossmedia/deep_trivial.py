"""deep-TS, the deep trivial solution: the class that a network predicts and nothing else (paper 4).

The networks are those of deep-SM, the class is that of the highest output, and the representation is one-hot, so there
are exactly two cosines, 1 and 0: two tie groups, which only tie-aware metrics evaluate. Each modality has a network of
its own. The authors' code takes the class of a text from the network for images, so that their figures are the same in
both directions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenrank.embeddings import Embeddings
from evenrank.methods.crossmedia.deep_semantic_matching import DeepSemanticMatching


@dataclass(eq=False, repr=False, kw_only=True)
class DeepTrivial(DeepSemanticMatching):
    """One-hot vector of the class that a network predicts; a single class is refused."""

    title = "deep-TS"
    paper = "4; Sablayrolles et al., ICASSP 2017"
    supervision = "labels"
    cost = "gradient descent, seconds on 1,000 items"

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return the class of the highest output, one-hot."""
        scores = self.scores(x, modality)
        return Embeddings(np.eye(scores.shape[1])[scores.argmax(axis=1)])
