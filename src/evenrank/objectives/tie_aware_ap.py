"""TALR-AP: the tie-aware average precision of relaxed codes (He, Cakir, Bargal, Sclaroff, CVPR 2018; paper 1, §4).

With c⁺ relevant of c items in a bin, C⁺ relevant of C items in the bins before it and N⁺ relevant items in all, a bin
adds to AP (Eq. 6 with counts that need not be whole)

    [ c⁺ (c⁺ − 1) · F + c⁺ (C⁺ + 1) · H ] / (c N⁺),     H = Σ 1/t over the ranks t of the bin,
                                                        F = (c − (C + 1) H) / (c − 1).

`relaxation` says what H is between whole counts:

    exact       ψ(C + c + 1) − ψ(C + 1), the sum itself on whole counts, so the objective *is* the metric
    log         ln((C + c) / C), Eq. (11); it diverges for an empty prefix and has a pole at c = 1, so below 1 the
                logarithm goes over into ψ, and from c = 2 down to 1 H goes over into the exact sum
    midpoint    ln((C + c + ½) / (C + ½)), with the same guard at c = 1
    simplified  another formula: Σ c⁺ (C⁺ + C⁺ + c⁺ + 1) / (C + C + c + 1) / N⁺, Eq. (62), what the authors trained

Quotients that become 0/0 at c = 0 and c = 1 are replaced there by their series. Everything is float64: in float32 the
differences of ψ lose all digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor

from evenrank.objective import Batch, Objective, mean_over
from evenrank.parameters import Choice, Integer, Real
from evenrank.soft_counts import soft_counts

NEAR = 1e-3  # closer than this to a 0/0, quotients are their series of three terms


@dataclass(eq=False, repr=False, kw_only=True)
class TieAwareAP(Objective):
    """1 − tie-aware AP, each item of the batch searching all others; items without a relevant one do not count."""

    title = "TALR-AP"
    paper = "1, §4"
    kind = "codes"

    relaxation: Annotated[str, Choice("exact", "log", "midpoint", "simplified")] = "simplified"
    alpha: Annotated[float, Real(1e-6, search=(0.1, 40), log=True)] = 1.0  # codes are tanh(alpha · outputs)
    bins: Annotated[int | None, Integer(1)] = None  # None: one a bit
    reach: Annotated[float, Real(0.5, 64)] = 1.0

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return one minus the mean."""
        codes = torch.tanh(self.alpha * outputs)
        bits = codes.shape[1]
        counts = soft_counts(
            codes, codes, batch.levels, len(batch.values), norm=bits, bins=self.bins or bits, reach=self.reach
        )
        relevant = batch.similar.sum(dim=1)
        values = average_precision(counts, relevant.double(), self.relaxation)
        return mean_over(1 - values, relevant > 0)


def average_precision(counts: Tensor, relevant: Tensor, relaxation: str) -> Tensor:
    """Return AP (queries,) of soft counts (queries, bins, levels), given how many relevant items there are."""
    here, positive = counts.sum(dim=2), counts[:, :, 1:].sum(dim=2)
    before, positive_before = here.cumsum(dim=1) - here, positive.cumsum(dim=1) - positive
    if relaxation == "simplified":
        parts = positive * (2 * positive_before + positive + 1) / (2 * before + here + 1)
    else:
        mean, excess = SUMS[relaxation](before, here)
        share = positive / torch.where(here > 0, here, 1)
        parts = share * (positive - 1) * excess + positive * (positive_before + 1) * mean
    return parts.sum(dim=1) / relevant.clamp(min=1)


def exact_sums(before: Tensor, here: Tensor) -> tuple[Tensor, Tensor]:
    """Return H / c and F of the exact sum."""
    start = before + 1
    # H / c is 0/0 at c = 0. In a bin that is quite empty it multiplies nothing, so that any value will do.
    small = (here > 0) & (here < NEAR)
    away = torch.where(here < NEAR, 1.0, here)
    mean = (torch.digamma(start + away) - torch.digamma(start)) / away
    mean = mean.masked_scatter(small, polynomial(start[small], here[small]))
    # F is 0/0 at c = 1, where its numerator's derivatives are 1 − start ψ′, −start ψ″, … at start + 1.
    unit = (here - 1).abs() < NEAR
    excess = here * (1 - start * mean) / torch.where(unit, 1.0, here - 1)
    beside = start[unit]
    return mean, excess.masked_scatter(unit, 1 - beside * polynomial(beside + 1, here[unit] - 1))


def polynomial(start: Tensor, step: Tensor) -> Tensor:
    """Return the first terms of (ψ(start + step) − ψ(start)) / step."""
    first, second, third, fourth = (torch.polygamma(order, start) for order in (1, 2, 3, 4))
    return first + step / 2 * (second + step / 3 * (third + step / 4 * fourth))


def log_sums(before: Tensor, here: Tensor) -> tuple[Tensor, Tensor]:
    """Return H / c and F of Eq. (11), guarded."""
    return guarded(before, here, logarithm(before + here) - logarithm(before))


def midpoint_sums(before: Tensor, here: Tensor) -> tuple[Tensor, Tensor]:
    """Return H / c and F with the logarithm taken at midpoints, guarded."""
    return guarded(before, here, torch.log((before + here + 0.5) / (before + 0.5)))


def logarithm(place: Tensor) -> Tensor:
    """Return ln x from 1 on, and ψ(x + 1) − ψ(2) below, which is finite at 0 and meets it at 1."""
    return torch.where(place >= 1, torch.log(place.clamp(min=1)), torch.digamma(place + 1) - 0.42278433509846713)


def guarded(before: Tensor, here: Tensor, harmonic: Tensor) -> tuple[Tensor, Tensor]:
    """Return H / c and F: the given H from c = 2 on, the exact one up to c = 1, smoothly in between."""
    mean, excess = exact_sums(before, here)
    error = harmonic - here * mean
    part = (here - 1).clamp(0, 1)
    weight = part * part * (10 - 15 * part + 6 * part * part)  # of a smooth step, divided by c − 1 once: F stays finite
    divided = torch.where(here < 2, weight, 1 / (here.clamp(min=2) - 1))
    return mean + part * weight * error / here.clamp(min=1), excess - (before + 1) * divided * error


SUMS = {"exact": exact_sums, "log": log_sums, "midpoint": midpoint_sums}
