"""MIHash: the mutual information between distance and relevance (Cakir, He, Bargal, Sclaroff, ICCV 2017, TPAMI 2019).

If knowing the distance D of an item tells whether it is relevant (C), then relevant and other items do not overlap. For
each query, from soft histograms of the distances to relevant and to other items,

    I(D; C) = H(D) − p(+) H(D | +) − p(−) H(D | −),     in bits (log2, with 0 log 0 = 0).

The authors' code scales outputs by 2 sigmoid(s x) − 1 = tanh(s x / 2): its s is 2 alpha here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over
from evenrank.parameters import Integer, Real
from evenrank.soft_counts import soft_counts


@dataclass(eq=False, repr=False, kw_only=True)
class MutualInformation(Objective):
    """Minus the mean mutual information; items without a relevant or without an irrelevant one do not count."""

    title = "MIHash"
    paper = "Cakir et al., ICCV 2017"
    kind = "codes"

    alpha: Annotated[float, Real(1e-6, search=(0.1, 40), log=True)] = 1.0  # codes are tanh(alpha · outputs)
    bins: Annotated[int | None, Integer(1)] = None  # None: one for two bits

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return minus the mean."""
        codes = torch.tanh(self.alpha * outputs)
        bits = codes.shape[1]
        bins = self.bins or max(1, bits // 2)
        counts = soft_counts(codes, codes, batch.levels, len(batch.values), norm=bits, bins=bins)
        positive, negative = counts[:, :, 1:].sum(dim=2), counts[:, :, 0]  # (items, bins)
        relevant, irrelevant = batch.similar.sum(dim=1), batch.different.sum(dim=1)
        total = relevant + irrelevant
        conditional = relevant * _entropy(positive, relevant) + irrelevant * _entropy(negative, irrelevant)
        information = _entropy(positive + negative, total) - conditional / total.clamp(min=1)
        return mean_over(-information, (relevant > 0) & (irrelevant > 0))


def _entropy(counts: Tensor, total: Tensor) -> Tensor:
    """Return the entropy (items,) in bits of counts (items, bins) that add up to `total`."""
    shares = counts / total.clamp(min=1)[:, None]
    shares = torch.where(shares > 0, shares, 1.0)  # 1 log 1 = 0 log 0, and the gradient stays finite
    return -(shares * torch.log2(shares)).sum(dim=1)
