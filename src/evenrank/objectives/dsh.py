"""Deep Supervised Hashing: a contrastive loss on near-binary outputs (Liu, Wang, Shan, Chen, CVPR 2016).

With D = ‖u − v‖², a similar pair costs D / 2, another one max(m − D, 0) / 2, and outputs are drawn to ±1 by the sum of
||u| − 1| over bits. Between codes of ±1, D is four Hamming distances, so the margin m = 2b asks for b/2.

As in the authors' code pairs are summed over i < j and divided by M (M − 1) for M items, half of their mean, and the
pull to ±1 is averaged over items. (Not Density Sensitive Hashing, which also goes by DSH.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class DSH(Objective):
    """Half the mean contrastive loss over pairs, plus the weighted mean distance of outputs from ±1."""

    title = "DSH"
    paper = "Liu et al., CVPR 2016"
    kind = "codes"

    margin: Annotated[float, Real(0, 4, search=(0.5, 4))] = 2.0  # of the squared distance, in units of b
    quantisation: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.01

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the scalar to minimise."""
        squares = outputs.square().sum(dim=1)
        distances = squares[:, None] + squares - 2 * outputs @ outputs.T  # (items, items)
        missing = (self.margin * outputs.shape[1] - distances).clamp(min=0)
        pairs = torch.where(batch.similar, distances, missing) / 2
        away = (outputs.abs() - 1).abs().sum(dim=1)  # (items,)
        return mean_over(pairs, batch.similar | batch.different) / 2 + self.quantisation * away.mean()
