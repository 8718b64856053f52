"""SoftTriple: classification by the similarity to several centres a class (Qian et al., 2019).

Its formula and its ranges are in `objectives/metric_learning/soft_triple.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.soft_triple import SoftTriple as Loss
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class SoftTriple(Trained):
    """Embeddings that point in one of several directions of their class."""

    title = "SoftTriple"
    paper = "5, Table 7"

    members: Annotated[int, Integer(1)] = 1  # of a class in a batch
    centres: Annotated[int, range_of(Loss, "centres")] = Loss.centres  # a class
    scale: Annotated[float, range_of(Loss, "scale")] = Loss.scale  # λ
    gamma: Annotated[float, range_of(Loss, "gamma")] = Loss.gamma
    regularisation: Annotated[float, range_of(Loss, "regularisation")] = Loss.regularisation  # τ
    margin: Annotated[float, range_of(Loss, "margin")] = Loss.margin
    loss_learning_rate: Annotated[float, range_of(Loss, "learning_rate")] = Loss.learning_rate  # of the centres

    def objective(self, classes: int) -> Loss:
        """Return the cross-entropy over centres."""
        return Loss(
            classes=classes,
            dimensions=self.dimensions,
            centres=self.centres,
            scale=self.scale,
            gamma=self.gamma,
            regularisation=self.regularisation,
            margin=self.margin,
            learning_rate=self.loss_learning_rate,
            seed=self.seed,
        )
