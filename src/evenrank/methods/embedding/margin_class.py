"""Margin loss with a boundary for every class, that of the anchor (Wu et al., 2017).

Its formula and its ranges are in `objectives/metric_learning/margin_class.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.margin_class import MarginClass as Loss


@dataclass(eq=False, repr=False, kw_only=True)
class MarginClass(Trained):
    """Embeddings in which a learned distance, one a class, parts its items from others."""

    title = "Margin / class"
    paper = "5, Table 7"

    margin: Annotated[float, range_of(Loss, "margin")] = Loss.margin
    beta: Annotated[float, range_of(Loss, "beta")] = Loss.beta  # where the boundaries start
    loss_learning_rate: Annotated[float, range_of(Loss, "learning_rate")] = Loss.learning_rate  # of the boundaries

    def objective(self, classes: int) -> Loss:
        """Return the margin loss with one boundary a class."""
        return Loss(classes=classes, margin=self.margin, beta=self.beta, learning_rate=self.loss_learning_rate)
