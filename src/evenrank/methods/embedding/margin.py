"""Margin loss: positives inside and negatives outside of a boundary that is learned (Wu et al., 2017).

Its formula and its ranges are in `objectives/metric_learning/margin.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.margin import Margin as Loss


@dataclass(eq=False, repr=False, kw_only=True)
class Margin(Trained):
    """Embeddings in which one learned distance parts items of one class from others."""

    title = "Margin"
    paper = "5, Table 7"

    margin: Annotated[float, range_of(Loss, "margin")] = Loss.margin
    beta: Annotated[float, range_of(Loss, "beta")] = Loss.beta  # where the boundary starts
    loss_learning_rate: Annotated[float, range_of(Loss, "learning_rate")] = Loss.learning_rate  # of the boundary

    def objective(self, classes: int) -> Loss:
        """Return the margin loss with one boundary."""
        return Loss(margin=self.margin, beta=self.beta, learning_rate=self.loss_learning_rate)
