"""FastAP: average precision of unit vectors by soft histograms (Cakir, He, Xia, Kulis, Sclaroff, CVPR 2019).

The squared distance of unit vectors, 0 … 4, is divided by L + 1 bins with triangles of width 4/L. With h⁺ relevant of h
items in a bin, H⁺ of H up to and including it, and N⁺ relevant items in all,

    FastAP = Σ h⁺ H⁺ / H / N⁺.

It is the simplified form of `tie_aware_ap` without the correction for ties: a bin's items all get the precision at its
end, which errs by 0.02 to 0.04 against the tie-aware value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over
from evenrank.parameters import Integer
from evenrank.soft_counts import soft_counts


@dataclass(eq=False, repr=False, kw_only=True)
class FastAP(Objective):
    """1 − FastAP, each item of the batch searching all others; items without a relevant one do not count."""

    title = "FastAP"
    paper = "Cakir et al., CVPR 2019"
    kind = "embeddings"

    bins: Annotated[int, Integer(1, search=(2, 250), log=True)] = 10  # L

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return one minus the mean."""
        length = torch.linalg.vector_norm(outputs, dim=1, keepdim=True)
        unit = outputs / torch.where(length > 0, length, 1.0)  # a zero row has no direction, and stays zero
        counts = soft_counts(unit, unit, batch.levels, len(batch.values), norm=1, bins=self.bins)
        positive = counts[:, :, 1:].sum(dim=2)  # (items, bins)
        up_to, positive_up_to = counts.sum(dim=2).cumsum(dim=1), positive.cumsum(dim=1)
        precision = positive_up_to / torch.where(up_to > 0, up_to, 1.0)
        relevant = batch.similar.sum(dim=1)
        return mean_over(1 - (positive * precision).sum(dim=1) / relevant.clamp(min=1), relevant > 0)
