"""Triplet loss: an anchor's positive is to be nearer than its negative, by a margin (Weinberger et al., 2006).

With d the Euclidean distance of normalised embeddings, over all triplets of the batch (not one a sample)

    avg⁺ [d_ap − d_an + m]₊,    avg⁺ the mean of the terms above 0.

A negative margin is valid: it leaves alone the triplets that are wrong by less than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from evenrank.objectives.metric_learning._adapter import MetricLoss, euclidean, library
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class Triplet(MetricLoss):
    """Triplet margin loss over all triplets of the batch."""

    title = "Triplet"
    paper = "5, Table 7"
    kind = "embeddings"

    margin: Annotated[float, Real(-2, 2, search=(-0.2, 2))] = 0.096

    def build(self) -> Any:
        """Return the library's loss."""
        return library("losses").TripletMarginLoss(margin=self.margin, triplets_per_anchor="all", distance=euclidean())
