"""Margin loss: a contrastive loss around a boundary that is learned (Wu et al., 2017).

With d the Euclidean distance of normalised embeddings and β the boundary, over all triplets (a, p, n) of the batch

    Σ ( [d_ap − β + m]₊ + [β − d_an + m]₊ ) / number of terms above 0

counted over both kinds of term together. A pair counts once for every triplet that it is part of. Paper 5 learns β
without weight decay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from evenrank.objectives.metric_learning._adapter import MetricLoss, euclidean, library
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class Margin(MetricLoss):
    """Margin loss with one learned boundary, over all triplets of the batch."""

    title = "Margin"
    paper = "5, Table 7"
    kind = "embeddings"
    parameterised = True
    decays = False

    margin: Annotated[float, Real(-2, 2, search=(-0.2, 2))] = 0.088
    beta: Annotated[float, Real(-2, 4, search=(-0.2, 2))] = 0.78  # where the boundary starts
    learning_rate: Annotated[float, Real(0, search=(1e-6, 1), log=True)] = 1.3e-3  # of the boundary

    def build(self) -> Any:
        """Return the library's loss, told to learn the boundary, which it does not by default."""
        return library("losses").MarginLoss(
            margin=self.margin, beta=self.beta, learn_beta=True, triplets_per_anchor="all", distance=euclidean()
        )
