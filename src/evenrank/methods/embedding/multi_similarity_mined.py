"""Multi-similarity loss on the pairs that its miner keeps (Wang et al., 2019).

Its formula and its ranges are in `objectives/metric_learning/multi_similarity_mined.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.multi_similarity_mined import MultiSimilarityMined as Loss


@dataclass(eq=False, repr=False, kw_only=True)
class MultiSimilarityMined(Trained):
    """Embeddings in which only the pairs that contradict others count, the hardest most."""

    title = "Multi-similarity + miner"
    paper = "5, Table 7"

    alpha: Annotated[float, range_of(Loss, "alpha")] = Loss.alpha
    beta: Annotated[float, range_of(Loss, "beta")] = Loss.beta
    base: Annotated[float, range_of(Loss, "base")] = Loss.base  # λ
    epsilon: Annotated[float, range_of(Loss, "epsilon")] = Loss.epsilon

    def objective(self, classes: int) -> Loss:
        """Return the multi-similarity loss of the mined pairs."""
        return Loss(alpha=self.alpha, beta=self.beta, base=self.base, epsilon=self.epsilon)
