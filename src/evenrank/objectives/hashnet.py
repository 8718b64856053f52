"""HashNet: weighted pair likelihood under tanh codes that sharpen as training goes on (Cao, Long, Wang, Yu, ICCV 2017).

With h = tanh(alpha z) and x = 10/b ⟨h, h′⟩, a pair is similar with probability sigmoid(x), and costs
w (log(1 + e^x) − s x). Similar pairs are rare, so the weights make both kinds count the same:

    w = c · |S| / |S₁| for similar pairs,    |S| / |S₀| for others,

where |S| pairs hold |S₁| similar and |S₀| other ones, and c is the share of labels that two items have in common
(|y ∩ y′| / |y ∪ y′|, so 1 where an item has one label). The value is the weighted mean. The authors draw two batches
and pair one with the other: here these are the first and the second half of the batch. Their code uses a fixed weight
for similar pairs, the number of classes, instead of balancing: `positive_weight`. Their scale of tanh, sharpened by
`evenrank.continuation`, is `alpha`, as in all objectives that relax signs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor
from torch.nn.functional import softplus

from evenrank.objective import Batch, Objective
from evenrank.parameters import Real


@dataclass(eq=False, repr=False, kw_only=True)
class HashNet(Objective):
    """The weighted mean of minus the log-likelihood, over pairs of the batch's first half with its second half."""

    title = "HashNet"
    paper = "Cao et al., ICCV 2017"
    kind = "codes"

    alpha: Annotated[float, Real(1e-6, search=(0.1, 40), log=True)] = 1.0  # codes are tanh(alpha · outputs)
    sharpness: Annotated[float, Real(1e-6, search=(1, 100), log=True)] = 10.0  # of the sigmoid, times b
    positive_weight: Annotated[float | None, Real(1e-6)] = None  # of a similar pair, against 1; None: balanced

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the weighted mean."""
        half, bits = len(outputs) // 2, outputs.shape[1]
        codes = torch.tanh(self.alpha * outputs)
        products = self.sharpness / bits * codes[:half] @ codes[half:].T  # (first half, second half)
        similar, different = (pairs[:half, half:].to(products) for pairs in (batch.similar, batch.different))
        weights = self._weights(similar, different)
        if batch.labels is not None and batch.labels.ndim == 2:
            weights = weights * torch.where(similar > 0, _common(batch.labels.to(products), half), 1.0)
        costs = softplus(products) - similar * products
        return (weights * costs).sum() / torch.where(weights.sum() > 0, weights.sum(), 1.0)

    def _weights(self, similar: Tensor, different: Tensor) -> Tensor:
        """Return the weight of each pair, before labels in common; 0 for a pair of an item with itself."""
        if self.positive_weight is not None:
            return self.positive_weight * similar + different
        pairs = similar.sum() + different.sum()
        return similar * (pairs / similar.sum().clamp(min=1)) + different * (pairs / different.sum().clamp(min=1))


def _common(labels: Tensor, half: int) -> Tensor:
    """Return the share of labels in common of each item of the first half with each of the second."""
    both = labels[:half] @ labels[half:].T
    either = labels[:half].sum(dim=1)[:, None] + labels[half:].sum(dim=1) - both
    return both / either.clamp(min=1)
