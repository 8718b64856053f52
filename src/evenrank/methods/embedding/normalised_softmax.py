"""Normalised softmax: classification by cosine, with a temperature (Wang et al., 2017; Zhai and Wu, 2019).

Its formula and its ranges are in `objectives/metric_learning/normalised_softmax.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.normalised_softmax import NormalisedSoftmax as Loss
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class NormalisedSoftmax(Trained):
    """Embeddings that point in the direction of their class."""

    title = "Normalised softmax"
    paper = "5, Table 7"

    members: Annotated[int, Integer(1)] = 1  # of a class in a batch
    temperature: Annotated[float, range_of(Loss, "temperature")] = Loss.temperature
    loss_learning_rate: Annotated[float, range_of(Loss, "learning_rate")] = Loss.learning_rate  # of the class weights

    def objective(self, classes: int) -> Loss:
        """Return the cross-entropy of cosines."""
        return Loss(
            classes=classes,
            dimensions=self.dimensions,
            temperature=self.temperature,
            learning_rate=self.loss_learning_rate,
            seed=self.seed,
        )
