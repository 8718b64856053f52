"""Normalised softmax: classification by cosine, with a temperature (Wang et al., 2017; Zhai and Wu, 2019).

With embeddings x and the columns of the class weights W normalised, and T the temperature, the mean over items of the
cross-entropy of the logits Wᵀx / T.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from evenrank.objectives.metric_learning._adapter import MetricLoss, directions, library
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class NormalisedSoftmax(MetricLoss):
    """Cross-entropy of the cosines to learned class weights, divided by a temperature."""

    title = "Normalised softmax"
    paper = "5, Table 7"
    kind = "embeddings"
    parameterised = True

    classes: Annotated[int, Integer(1)]
    dimensions: Annotated[int, Integer(1)]
    temperature: Annotated[float, Real(1e-6, search=(0.01, 100), log=True)] = 0.11
    learning_rate: Annotated[float, Real(0, search=(1e-6, 1), log=True)] = 4.5e-3  # of the class weights
    seed: int = 0

    def build(self) -> Any:
        """Return the library's loss."""
        return library("losses").NormalizedSoftmaxLoss(
            self.classes, self.dimensions, temperature=self.temperature, weight_init_func=directions(self.seed)
        )
