"""CosFace: classification by cosine, the own class handicapped by a margin (Wang et al., 2018).

With embeddings and class weights normalised, the mean over items of the cross-entropy of the logits

    S (cos θ_own − m)  for the own class,    S cos θ_c  for the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from evenrank.objectives.metric_learning._adapter import MetricLoss, directions, library
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class CosFace(MetricLoss):
    """Cross-entropy of scaled cosines to learned class weights, with a margin on the cosine."""

    title = "CosFace"
    paper = "5, Table 7"
    kind = "embeddings"
    parameterised = True

    classes: Annotated[int, Integer(1)]
    dimensions: Annotated[int, Integer(1)]
    margin: Annotated[float, Real(0, 2, search=(0, 1))] = 0.62
    scale: Annotated[float, Real(1e-6, search=(0.01, 200))] = 100.0
    learning_rate: Annotated[float, Real(0, search=(1e-6, 1), log=True)] = 2.5e-3  # of the class weights
    seed: int = 0

    def build(self) -> Any:
        """Return the library's loss."""
        return library("losses").CosFaceLoss(
            self.classes,
            self.dimensions,
            margin=self.margin,
            scale=self.scale,
            weight_init_func=directions(self.seed),
        )
