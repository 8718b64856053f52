"""Dispersion with superclasses: codes of a class near but not the same, its superclass around them (paper 2, Eq. 25).

With the L1 distance D, and |D; r, r′| for how far it is from the range r … r′,

    same class          |D; r₁, r₂| / 2       r₁ = b/12, r₂ = b/6
    same superclass     |D; r₃, r₄| / 2       r₃ = b/6, r₄ = b/3
    other               max(m − D, 0) / 2

plus the pull to ±1; margins and means are those of `dispersion`. As printed, two items of a class are also two items of
its superclass, get both ranges, and settle where these meet, at b/6; `superclass_pairs="different"` keeps the second
range for items of different classes. Levels of relevance are 2 for the same class, 1 for the same superclass only, and
0, which is what the number of matching attributes gives for (superclass, class).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over
from evenrank.objectives.dispersion import MARGINS, outside
from evenrank.parameters import Choice, Real


@dataclass(eq=False, repr=False, kw_only=True)
class SuperclassDispersion(Objective):
    """Half the mean loss over pairs of three levels, plus the weighted mean distance of outputs from ±1."""

    title = "Dispersion with superclasses"
    paper = "2, Eq. 25"
    kind = "codes"

    class_inner: Annotated[float, Real(0, 2, search=(0, 0.1))] = 1 / 12  # r₁ in units of b
    class_outer: Annotated[float, Real(0, 2, search=(0.1, 0.25))] = 1 / 6  # r₂
    superclass_inner: Annotated[float, Real(0, 2, search=(0.1, 0.25))] = 1 / 6  # r₃
    superclass_outer: Annotated[float, Real(0, 2, search=(0.25, 0.8))] = 1 / 3  # r₄
    superclass_pairs: Annotated[str, Choice("all", "different")] = "all"
    margin: Annotated[str, Choice("paper", "consistent", search=("paper", "consistent"))] = "paper"
    quantisation: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.01

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the scalar to minimise."""
        if batch.values.tolist() != [0, 1, 2]:
            raise ValueError(
                "levels of SuperclassDispersion must be 0, 1 (same superclass) and 2 (same class); "
                f"got {batch.values.tolist()}"
            )
        bits = outputs.shape[1]
        distances = torch.cdist(outputs, outputs, p=1)  # (items, items)
        near = outside(distances, self.class_inner * bits, self.class_outer * bits)
        around = outside(distances, self.superclass_inner * bits, self.superclass_outer * bits)
        missing = (MARGINS[self.margin] * bits - distances).clamp(min=0)
        same = near + around if self.superclass_pairs == "all" else near
        pairs = torch.where(batch.levels == 2, same, torch.where(batch.levels == 1, around, missing)) / 2
        away = (outputs.abs() - 1).abs().sum(dim=1)  # (items,)
        return mean_over(pairs, batch.similar | batch.different) / 2 + self.quantisation * away.mean()
