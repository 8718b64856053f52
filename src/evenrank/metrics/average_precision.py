"""Average precision: the precision at every relevant item, averaged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from evenrank.cutoff import Kind
from evenrank.groups import Groups
from evenrank.metric import Metric, Spread
from evenrank.parameters import Choice, Integer
from evenrank.tally import Tally
from evenrank.tie_orders.interpolation import Step, Trapezoid
from evenrank.tie_orders.retrieved_precision import retrieved_precision
from evenrank.tie_orders.variance import moments


@dataclass(frozen=True)
class AveragePrecision(Metric):
    """Mean over the relevant items of the precision at their rank; exact over tie orders (paper 1 Eq. 6, corrected).

    AP = (1/N⁺) Σ_d (n_d⁺/n_d) Σ_t (N_{d-1}⁺ + 1 + (t - N_{d-1} - 1) ρ_d) / t over the ranks t of group d, with
    ρ_d = (n_d⁺ - 1) / (n_d - 1). A cut stops the sum: at rank k, at R = N⁺ (AP@R is MAP@R of paper 5) or at a Hamming
    radius. `divisor` says what a cut sum is divided by, which papers leave open: "relevant" all relevant items,
    "min" as many of them as fit above the cut, "retrieved" those found above the cut (paper 2 Eq. 4, paper 3 Eq. 2).
    `interpolation` "trapezoid" is the area under the precision-recall curve of the Oxford and INRIA scripts.

    >>> tally = Tally([[[1, 1], [1, 2], [0, 0], [3, 1]]], levels=[0, 1], distances=[0, 1, 2, 3])
    >>> AveragePrecision().spread(tally).expected.round(10)
    array([0.63918651])
    """

    names: ClassVar[tuple[str, ...]] = ("AP", "mAP", "average_precision")
    aliases: ClassVar[dict[str, str]] = {
        "mean_average_precision": "AP",
        "average_precision_at_r": "AP@R",
        "mean_average_precision_at_r": "AP@R",
    }
    cutoffs: ClassVar[tuple[Kind, ...]] = ("none", "rank", "relevant", "radius")

    divisor: Annotated[str, Choice("relevant", "retrieved", "min")] = "relevant"
    interpolation: Annotated[str, Choice("step", "trapezoid")] = "step"
    rel: Annotated[int | None, Integer(1)] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.divisor == "retrieved" and self.interpolation == "trapezoid":
            raise ValueError("divisor=retrieved goes with interpolation=step only; got interpolation=trapezoid")

    def spread(self, tally: Tally) -> Spread:
        """Return AP of each query over tie orders."""
        groups = tally.groups(self.rel)
        cells = groups.cells(self.cutoff)
        if self.divisor == "retrieved" and self.cutoff.kind != "none":
            return retrieved_precision(cells)
        weights = Step() if self.interpolation == "step" else Trapezoid()
        pure, mixed = cells[cells.relevant == cells.items], cells[cells.relevant < cells.items]
        certain = pure.total(weights.total(pure.before, pure.relevant_before, pure.slots))
        mean, variance = moments(mixed, weights)
        irrelevant = mixed.items - mixed.relevant
        first, last = np.minimum(mixed.relevant, mixed.slots), np.maximum(mixed.slots - irrelevant, 0)
        best = mixed.total(weights.total(mixed.before, mixed.relevant_before, first))
        worst = mixed.total(weights.total(mixed.before + irrelevant, mixed.relevant_before, last))
        divisor = self._divisor(groups)
        mean, best, worst = ((certain + part) / divisor for part in (mean, best, worst))
        return Spread(mean, best, worst, np.sqrt(variance) / divisor)

    def _divisor(self, groups: Groups) -> np.ndarray:
        count = groups.total_relevant
        if self.divisor == "min":
            count = np.minimum(count, groups.cut(self.cutoff))
        return np.asarray(np.maximum(count, 1))
