"""Squared softmax: the squared error of class probabilities, what deep-SM of paper 4 is trained by.

With p = softmax(outputs), an item of class y costs ‖p − e_y‖² / 2 (Caffe's EuclideanLoss, not cross-entropy). An item
with several labels costs the mean over them, as if it were there once for each:

    mean over y of ‖p − e_y‖² = ‖p‖² − 2 · mean over y of p_y + 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over
from evenrank.objectives.softmax import label_shares


@dataclass(eq=False, repr=False, kw_only=True)
class SquaredSoftmax(Objective):
    """Half the mean squared error of softmax scores; items without a label do not count."""

    title = "Squared softmax (deep-SM)"
    paper = "4, deep-SM"
    kind = "classes"

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return half the mean."""
        shares = label_shares(batch.labels, outputs)
        scores = torch.softmax(outputs, dim=1)  # (items, classes)
        errors = scores.square().sum(dim=1) - 2 * (shares * scores).sum(dim=1) + 1
        return mean_over(errors, shares.any(dim=1)) / 2
