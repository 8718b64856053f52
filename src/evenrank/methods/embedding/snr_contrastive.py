"""SNR contrastive: the contrastive loss on a ratio of noise to signal (Yuan et al., 2019).

Its formula and its ranges are in `objectives/metric_learning/snr_contrastive.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.snr_contrastive import SNRContrastive as Loss


@dataclass(eq=False, repr=False, kw_only=True)
class SNRContrastive(Trained):
    """Embeddings in which items of one class differ little against the variance of the anchor, and others much."""

    title = "SNR contrastive"
    paper = "5, Table 7"

    positive_margin: Annotated[float, range_of(Loss, "positive_margin")] = Loss.positive_margin
    negative_margin: Annotated[float, range_of(Loss, "negative_margin")] = Loss.negative_margin
    regularisation: Annotated[float, range_of(Loss, "regularisation")] = Loss.regularisation  # λ

    def objective(self, classes: int) -> Loss:
        """Return the contrastive loss on noise-to-signal ratios."""
        return Loss(
            positive_margin=self.positive_margin,
            negative_margin=self.negative_margin,
            regularisation=self.regularisation,
        )
