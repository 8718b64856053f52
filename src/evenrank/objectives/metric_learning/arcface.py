"""ArcFace: classification by cosine, the own class handicapped by an angle (Deng et al., 2019).

With embeddings and class weights normalised and θ_c the angle between them, the mean over items of the cross-entropy of

    S cos(θ_own + m)  for the own class,    S cos θ_c  for the others.

The margin m is in degrees. Beyond θ = 180° − m the cosine would rise again; there the own logit is S (cos θ − m sin m),
m in radians. The library lets the arc cosine reach ±1, where its gradient is infinite; here it stops just before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import torch
from torch import Tensor

from evenrank.objectives.metric_learning._adapter import MetricLoss, directions, library
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class ArcFace(MetricLoss):
    """Cross-entropy of scaled cosines to learned class weights, with a margin on the angle."""

    title = "ArcFace"
    paper = "5, Table 7"
    kind = "embeddings"
    parameterised = True

    classes: Annotated[int, Integer(1)]
    dimensions: Annotated[int, Integer(1)]
    margin: Annotated[float, Real(0, 90, search=(0, 90))] = 23.0  # degrees
    scale: Annotated[float, Real(1e-6, search=(0.01, 300))] = 100.0  # paper 5's best on SOP is 220
    learning_rate: Annotated[float, Real(0, search=(1e-6, 1), log=True)] = 5.1e-3  # of the class weights
    seed: int = 0

    def build(self) -> Any:
        """Return the library's loss, with angles whose gradient is finite."""
        loss = library("losses").ArcFaceLoss(
            self.classes,
            self.dimensions,
            margin=self.margin,
            scale=self.scale,
            weight_init_func=directions(self.seed),
        )
        loss.get_angles = _angles
        return loss


def _angles(cosines: Tensor) -> Tensor:
    return torch.acos(cosines.clamp(-1 + 1e-12, 1 - 1e-12))
