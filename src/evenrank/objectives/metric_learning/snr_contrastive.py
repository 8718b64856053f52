"""SNR contrastive: the contrastive loss on a ratio of noise to signal (Yuan et al., 2019).

The anchor is the signal and the difference to the other item the noise, with variances over dimensions:

    d(a, b) = var(a − b) / var(a)        not symmetric: d(b, a) divides by var(b)

    avg⁺ [d_p − m_pos]₊ + avg⁺ [m_neg − d_n]₊ + λ · mean_i |Σ_k x_ik|

over all ordered pairs of normalised embeddings x, avg⁺ the mean of the terms above 0. The last term keeps the rows
around zero. An anchor without signal (a constant row) has no distance; it is set to 0, without a gradient. The ratio is
computed as |ã − b̃|² / |ã|² of rows less their mean: the library's tensor of all differences is not built.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import torch
from torch import Tensor

from evenrank.objectives.metric_learning._adapter import MetricLoss, library
from evenrank.parameters import Real

SILENT = 1e-24  # below this a unit row is constant up to rounding


@dataclass(eq=False, repr=False, kw_only=True)
class SNRContrastive(MetricLoss):
    """Contrastive loss with two margins on the noise-to-signal ratio, and rows kept around zero."""

    title = "SNR contrastive"
    paper = "5, Table 7"
    kind = "embeddings"

    positive_margin: Annotated[float, Real(0, search=(0, 2))] = 0.33
    negative_margin: Annotated[float, Real(0, search=(0, 2))] = 0.84
    regularisation: Annotated[float, Real(0, search=(0, 1))] = 0.14  # λ

    def build(self) -> Any:
        """Return the library's loss."""
        distance = library("distances").SNRDistance()
        distance.compute_mat = _noise_to_signal
        return library("losses").SignalToNoiseRatioContrastiveLoss(
            pos_margin=self.positive_margin,
            neg_margin=self.negative_margin,
            distance=distance,
            embedding_regularizer=library("regularizers").ZeroMeanRegularizer(),
            embedding_reg_weight=self.regularisation,
        )


def _noise_to_signal(anchors: Tensor, others: Tensor) -> Tensor:
    """Return (anchors, others): the variance of the difference over that of the anchor."""
    anchors = anchors - anchors.mean(dim=1, keepdim=True)
    others = others - others.mean(dim=1, keepdim=True)
    noise = torch.cdist(anchors, others, compute_mode="donot_use_mm_for_euclid_dist").square()
    signal = anchors.square().sum(dim=1, keepdim=True)
    return torch.where(signal > SILENT, noise / torch.where(signal > SILENT, signal, 1.0), 0.0)
