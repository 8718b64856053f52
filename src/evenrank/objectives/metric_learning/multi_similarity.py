"""Multi-similarity loss: soft maxima over an anchor's positives and over its negatives (Wang et al., 2019).

With s the cosine, the mean over anchors (all items of the batch) of

    1/α · log(1 + Σ_p e^{−α (s_ap − λ)}) + 1/β · log(1 + Σ_n e^{β (s_an − λ)}),    λ the keyword `base`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from evenrank.objectives.metric_learning._adapter import MetricLoss, library
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class MultiSimilarity(MetricLoss):
    """Multi-similarity loss over all pairs of the batch."""

    title = "Multi-similarity"
    paper = "5, Table 7"
    kind = "embeddings"

    alpha: Annotated[float, Real(1e-6, search=(0.01, 100), log=True)] = 0.01
    beta: Annotated[float, Real(1e-6, search=(0.01, 100), log=True)] = 51.0
    base: Annotated[float, Real(-1, 1, search=(0, 1))] = 0.56

    def build(self) -> Any:
        """Return the library's loss."""
        return library("losses").MultiSimilarityLoss(alpha=self.alpha, beta=self.beta, base=self.base)
