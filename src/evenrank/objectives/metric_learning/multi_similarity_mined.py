"""Multi-similarity loss on the pairs that its miner keeps (Wang et al., 2019).

With s the cosine, an anchor keeps the negatives with s > min_p s_ap − ε and the positives with s < max_n s_an + ε, so
none if it lacks one of the two kinds; the mean over anchors (all items of the batch) of

    1/α · log(1 + Σ_p e^{−α (s_ap − λ)}) + 1/β · log(1 + Σ_n e^{β (s_an − λ)}),    λ the keyword `base`

is over what is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import torch
from torch import Tensor

from evenrank.objectives.metric_learning._adapter import MetricLoss, library
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class MultiSimilarityMined(MetricLoss):
    """Multi-similarity loss over the hard pairs of the batch."""

    title = "Multi-similarity + miner"
    paper = "5, Table 7"
    kind = "embeddings"

    alpha: Annotated[float, Real(1e-6, search=(0.01, 100), log=True)] = 18.0
    beta: Annotated[float, Real(1e-6, search=(0.01, 200), log=True)] = 76.0  # paper 5's best on SOP is 157
    base: Annotated[float, Real(-1, 1, search=(0, 1))] = 0.77
    epsilon: Annotated[float, Real(0, 2, search=(0, 1))] = 0.39

    def build(self) -> Any:
        """Return the library's loss."""
        return library("losses").MultiSimilarityLoss(alpha=self.alpha, beta=self.beta, base=self.base)

    def mine(self, embeddings: Tensor, labels: Tensor) -> Any:
        """Return the kept pairs, each twice: of a single pair the library makes 0, and repeats change nothing."""
        kept = library("miners").MultiSimilarityMiner(epsilon=self.epsilon)(embeddings, labels)
        return tuple(torch.cat([indexes, indexes]) for indexes in kept)
