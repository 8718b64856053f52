"""TALR-NDCG: the tie-aware (normalised) discounted cumulative gain of relaxed codes (paper 1, §4 and appendix F).

A bin with c items, C before it, and c_v items of level v adds the mean gain of its items times the discounts of its
ranks, Σ_v G(v) c_v / c · (E(C + c) − E(C)), where E(x) sums the discounts D(t) = 1/log2(t + 1) of the ranks up to x.
`relaxation` says what E is between whole counts:

    exact       linear between them: the metric itself on whole counts
    log         ln 2 · li(x + 1), Eq. (12), from rank 1 on, where it is set to E(1); linear below, where li diverges
    midpoint    ln 2 · li(x + 3/2)
    simplified  D at the bin's mean rank: Σ_v G(v) c_v / log2(C + c/2 + 3/2), Eq. (66), a lower bound of the exact form
                on whole counts (Jensen) and what the authors trained

The ideal that divides it is over the other items of the batch (released code counts the query itself).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over
from evenrank.parameters import Choice, Integer, Real
from evenrank.soft_counts import soft_counts


@dataclass(eq=False, repr=False, kw_only=True)
class TieAwareDCG(Objective):
    """1 − tie-aware nDCG, each item of the batch searching all others; items without a relevant one do not count.

    With `normalised=False` the value is minus the mean tie-aware DCG.
    """

    title = "TALR-NDCG"
    paper = "1, §4"
    kind = "codes"

    relaxation: Annotated[str, Choice("exact", "log", "midpoint", "simplified")] = "simplified"
    gain: Annotated[str, Choice("exponential", "linear")] = "exponential"
    normalised: bool = True
    alpha: Annotated[float, Real(1e-6, search=(0.1, 40), log=True)] = 1.0  # codes are tanh(alpha · outputs)
    bins: Annotated[int | None, Integer(1)] = None  # None: one a bit
    reach: Annotated[float, Real(0.5, 64)] = 1.0

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return one minus the mean nDCG, or minus the mean DCG."""
        codes = torch.tanh(self.alpha * outputs)
        bits = codes.shape[1]
        counts = soft_counts(
            codes, codes, batch.levels, len(batch.values), norm=bits, bins=self.bins or bits, reach=self.reach
        )
        gains = batch.values.double() if self.gain == "linear" else torch.exp2(batch.values.double()) - 1
        found, totals = dcg(counts, gains.to(counts.device), self.relaxation), batch.totals()
        counted = totals[:, 1:].sum(dim=1) > 0
        if not self.normalised:
            return mean_over(-found, counted)
        best = ideal(totals, gains.to(totals.device))
        return mean_over(1 - found / torch.where(counted, best, 1.0), counted)


def dcg(counts: Tensor, gains: Tensor, relaxation: str) -> Tensor:
    """Return DCG (queries,) of soft counts (queries, bins, levels), given each level's gain."""
    here, gained = counts.sum(dim=2), counts @ gains
    before = here.cumsum(dim=1) - here
    if relaxation == "simplified":
        return (gained / torch.log2(before + here / 2 + 1.5)).sum(dim=1)
    total = DISCOUNTS[relaxation]
    mean = (total(before + here) - total(before)) / torch.where(here > 0, here, 1.0)
    return (gained * mean).sum(dim=1)


def ideal(totals: Tensor, gains: Tensor) -> Tensor:
    """Return the DCG of the best order (queries,): the highest level first; `totals` (queries, levels) are whole."""
    ordered = totals.flip(1)
    ends = interpolated(ordered.cumsum(dim=1))
    spans = ends - torch.cat([torch.zeros_like(ends[:, :1]), ends[:, :-1]], dim=1)
    return spans @ gains.flip(0)


def interpolated(place: Tensor) -> Tensor:
    """Return the sum of the discounts of the ranks up to `place`, linear between whole ranks."""
    rank = place.detach().floor().clamp(min=0)
    discounts = 1 / torch.log2(torch.arange(int(rank.max()) + 2, dtype=torch.float64, device=place.device) + 2)
    sums = torch.cat([discounts.new_zeros(1), discounts.cumsum(0)])
    return sums[rank.long()] + (place - rank) * discounts[rank.long()]


def integrated(place: Tensor) -> Tensor:
    """Return Eq. (12)'s integral of the discount, from rank 1 on; linear below."""
    beyond = place.clamp(min=1)
    return place.clamp(max=1) + np.log(2) * (logarithmic_integral(beyond + 1) - LI_2)


def at_midpoints(place: Tensor) -> Tensor:
    """Return the integral of the discount with ranks at midpoints."""
    return np.log(2) * logarithmic_integral(place + 1.5)


def logarithmic_integral(values: Tensor) -> Tensor:
    """Return li(x), with derivative 1/ln x."""
    apply: Any = _LogarithmicIntegral.apply
    found: Tensor = apply(values)
    return found


class _LogarithmicIntegral(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, values: Tensor) -> Tensor:
        from scipy.special import expi

        context.save_for_backward(values)
        return torch.as_tensor(expi(np.log(values.detach().cpu().numpy()))).to(values)

    @staticmethod
    def backward(context: Any, *gradients: Any) -> Tensor:
        (values,) = context.saved_tensors
        return gradients[0] / torch.log(values)


LI_2 = 1.0451637801174927848  # li(2)
DISCOUNTS = {"exact": interpolated, "log": integrated, "midpoint": at_midpoints}
