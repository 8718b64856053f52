"""Margin loss with a boundary for every class: that of the anchor's class counts (Wu et al., 2017).

With d the Euclidean distance of normalised embeddings, over all triplets (a, p, n) of the batch

    Σ ( [d_ap − β_c(a) + m]₊ + [β_c(a) − d_an + m]₊ ) / number of terms above 0

counted over both kinds of term together. Paper 5 learns β without weight decay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from evenrank.objectives.metric_learning._adapter import MetricLoss, euclidean, library
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class MarginClass(MetricLoss):
    """Margin loss with one learned boundary a class, over all triplets of the batch."""

    title = "Margin / class"
    paper = "5, Table 7"
    kind = "embeddings"
    parameterised = True
    decays = False

    classes: Annotated[int, Integer(1)]
    margin: Annotated[float, Real(-2, 2, search=(-0.2, 2))] = 0.078
    beta: Annotated[float, Real(-2, 4, search=(-0.2, 2))] = 0.98  # where the boundaries start
    learning_rate: Annotated[float, Real(0, search=(1e-6, 1), log=True)] = 2.7e-4  # of the boundaries

    def build(self) -> Any:
        """Return the library's loss, told to learn the boundaries, which it does not by default."""
        return library("losses").MarginLoss(
            margin=self.margin,
            beta=self.beta,
            learn_beta=True,
            num_classes=self.classes,
            triplets_per_anchor="all",
            distance=euclidean(),
        )
