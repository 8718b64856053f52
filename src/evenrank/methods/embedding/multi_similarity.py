"""Multi-similarity loss: soft maxima over an anchor's positives and over its negatives (Wang et al., 2019).

Its formula and its ranges are in `objectives/metric_learning/multi_similarity.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.multi_similarity import MultiSimilarity as Loss


@dataclass(eq=False, repr=False, kw_only=True)
class MultiSimilarity(Trained):
    """Embeddings in which the hardest positives and negatives of each anchor weigh most."""

    title = "Multi-similarity"
    paper = "5, Table 7"

    alpha: Annotated[float, range_of(Loss, "alpha")] = Loss.alpha
    beta: Annotated[float, range_of(Loss, "beta")] = Loss.beta
    base: Annotated[float, range_of(Loss, "base")] = Loss.base  # λ

    def objective(self, classes: int) -> Loss:
        """Return the multi-similarity loss of all pairs."""
        return Loss(alpha=self.alpha, beta=self.beta, base=self.base)
