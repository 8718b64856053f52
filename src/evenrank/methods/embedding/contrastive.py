"""Contrastive loss: positives are pulled nearer than one margin, negatives beyond another (Hadsell et al., 2006).

Its formula and its ranges are in `objectives/metric_learning/contrastive.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.contrastive import Contrastive as Loss


@dataclass(eq=False, repr=False, kw_only=True)
class Contrastive(Trained):
    """Embeddings in which items of one class are near and others apart, by two margins."""

    title = "Contrastive"
    paper = "5, Table 7"

    positive_margin: Annotated[float, range_of(Loss, "positive_margin")] = Loss.positive_margin
    negative_margin: Annotated[float, range_of(Loss, "negative_margin")] = Loss.negative_margin

    def objective(self, classes: int) -> Loss:
        """Return the contrastive loss."""
        return Loss(positive_margin=self.positive_margin, negative_margin=self.negative_margin)
