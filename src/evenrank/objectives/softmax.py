"""Softmax: learn to name the class, and search by what was learned on the way.

Outputs are one score for each class, p = softmax(outputs), and an item of class y costs −log p_y. An item with several
labels costs the mean over them.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over


@dataclass(eq=False, repr=False, kw_only=True)
class Softmax(Objective):
    """The mean cross-entropy of softmax scores with the labels; items without a label do not count."""

    title = "Softmax"
    paper = "cross-entropy"
    kind = "classes"

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the mean."""
        shares = label_shares(batch.labels, outputs)
        costs = -(shares * torch.log_softmax(outputs, dim=1)).sum(dim=1)
        return mean_over(costs, shares.any(dim=1))


def label_shares(labels: Tensor | None, outputs: Tensor) -> Tensor:
    """Return (items, classes), like the outputs: one divided among the labels of an item, all 0 if it has none."""
    classes = outputs.shape[1]
    if labels is None:
        raise ValueError("an objective on class scores needs labels: batch.labels must be a Tensor; got None")
    if labels.ndim == 2 and labels.shape[1] != classes:
        raise ValueError(f"labels of a batch must have one column for each of {classes} scores; got {labels.shape[1]}")
    if labels.ndim == 1 and len(labels) and not 0 <= int(labels.min()) <= int(labels.max()) < classes:
        raise ValueError(
            f"labels of a batch must be class numbers below {classes}, the number of scores; "
            f"got {int(labels.min())} to {int(labels.max())}"
        )
    known = torch.nn.functional.one_hot(labels.long(), classes) if labels.ndim == 1 else labels
    known = known.to(outputs)
    return known / known.sum(dim=1, keepdim=True).clamp(min=1)
