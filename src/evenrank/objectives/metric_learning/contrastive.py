"""Contrastive loss: pull positives nearer than one margin, push negatives beyond another (Hadsell et al., 2006).

With d the Euclidean distance of normalised embeddings, over all pairs of the batch

    avg⁺ [d_p − m_pos]₊ + avg⁺ [m_neg − d_n]₊

where avg⁺ is the mean of the terms above 0, taken for positives and for negatives apart. Distances are never negative,
so a negative m_pos could only add a constant: it counts as 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from evenrank.objectives.metric_learning._adapter import MetricLoss, euclidean, library
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class Contrastive(MetricLoss):
    """Contrastive loss with two margins, over all pairs of the batch."""

    title = "Contrastive"
    paper = "5, Table 7"
    kind = "embeddings"

    positive_margin: Annotated[float, Real(-2, 2, search=(-0.2, 2))] = -0.2
    negative_margin: Annotated[float, Real(-2, 2, search=(-0.2, 2))] = 0.38

    def build(self) -> Any:
        """Return the library's loss."""
        return library("losses").ContrastiveLoss(
            pos_margin=max(self.positive_margin, 0.0), neg_margin=self.negative_margin, distance=euclidean()
        )
