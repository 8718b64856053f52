"""CosFace: classification by cosine, the own class handicapped by a margin (Wang et al., 2018).

Its formula and its ranges are in `objectives/metric_learning/cosface.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.cosface import CosFace as Loss
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class CosFace(Trained):
    """Embeddings that point in the direction of their class, by a margin of the cosine."""

    title = "CosFace"
    paper = "5, Table 7"

    members: Annotated[int, Integer(1)] = 1  # of a class in a batch
    margin: Annotated[float, range_of(Loss, "margin")] = Loss.margin
    scale: Annotated[float, range_of(Loss, "scale")] = Loss.scale
    loss_learning_rate: Annotated[float, range_of(Loss, "learning_rate")] = Loss.learning_rate  # of the class weights

    def objective(self, classes: int) -> Loss:
        """Return the cross-entropy of cosines with a margin."""
        return Loss(
            classes=classes,
            dimensions=self.dimensions,
            margin=self.margin,
            scale=self.scale,
            learning_rate=self.loss_learning_rate,
            seed=self.seed,
        )
