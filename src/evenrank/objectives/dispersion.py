"""Dispersion: similar codes should be near, but not all the same (paper 2, Eq. 20).

Deep Supervised Hashing draws a class to one code, which wastes the others. Here the L1 distance D of a similar pair is
drawn into a range, and other pairs beyond a margin, as before:

    similar    (max(r₁ − D, 0) + max(D − r₂, 0)) / 2        r₁ = b/6, r₂ = b/3
    other      max(m − D, 0) / 2

plus the pull to ±1, for which the paper prints ‖u − 1‖ and means ‖|u| − 1‖. Pairs and pull are averaged as in `dsh`.

Between codes of ±1, D is two Hamming distances. The paper keeps the margin m = 2b of the squared distance, which now
asks that all bits differ; `margin="consistent"` is m = b, half of the bits, as the paper says it means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over
from evenrank.parameters import Choice, Real


@dataclass(eq=False, repr=False, kw_only=True)
class Dispersion(Objective):
    """Half the mean loss over pairs, plus the weighted mean distance of outputs from ±1."""

    title = "Dispersion"
    paper = "2, Eq. 20"
    kind = "codes"

    inner: Annotated[float, Real(0, 2, search=(0, 0.2))] = 1 / 6  # r₁ in units of b
    outer: Annotated[float, Real(0, 2, search=(0.2, 0.8))] = 1 / 3  # r₂
    margin: Annotated[str, Choice("paper", "consistent", search=("paper", "consistent"))] = "paper"
    quantisation: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.01

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the scalar to minimise."""
        bits = outputs.shape[1]
        distances = torch.cdist(outputs, outputs, p=1)  # (items, items)
        kept = outside(distances, self.inner * bits, self.outer * bits)
        missing = (MARGINS[self.margin] * bits - distances).clamp(min=0)
        pairs = torch.where(batch.similar, kept, missing) / 2
        away = (outputs.abs() - 1).abs().sum(dim=1)  # (items,)
        return mean_over(pairs, batch.similar | batch.different) / 2 + self.quantisation * away.mean()


def outside(distances: Tensor, inner: float, outer: float) -> Tensor:
    """Return how far distances are from the range."""
    return (inner - distances).clamp(min=0) + (distances - outer).clamp(min=0)


MARGINS = {"paper": 2.0, "consistent": 1.0}  # in units of b
