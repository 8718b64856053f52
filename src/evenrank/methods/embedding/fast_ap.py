"""FastAP: descent on average precision by soft histograms of distances (Cakir et al., CVPR 2019).

Its formula and its ranges are in `objectives/fast_ap.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.fast_ap import FastAP as Loss


@dataclass(eq=False, repr=False, kw_only=True)
class FastAP(Trained):
    """Embeddings by which each item of a batch finds its class as early as possible; items may have several labels."""

    title = "FastAP"
    paper = "5, Table 7"
    several_labels = True

    bins: Annotated[int, range_of(Loss, "bins")] = Loss.bins  # L

    def objective(self, classes: int) -> Loss:
        """Return the loss one minus FastAP."""
        return Loss(bins=self.bins)
