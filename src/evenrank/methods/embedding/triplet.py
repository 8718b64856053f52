"""Triplet loss: an anchor's positive is to be nearer than its negative, by a margin (Weinberger et al., 2006).

Its formula and its ranges are in `objectives/metric_learning/triplet.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.triplet import Triplet as Loss


@dataclass(eq=False, repr=False, kw_only=True)
class Triplet(Trained):
    """Embeddings in which the items of one's own class are nearer than others, by a margin."""

    title = "Triplet"
    paper = "5, Table 7"

    margin: Annotated[float, range_of(Loss, "margin")] = Loss.margin

    def objective(self, classes: int) -> Loss:
        """Return the triplet loss."""
        return Loss(margin=self.margin)
