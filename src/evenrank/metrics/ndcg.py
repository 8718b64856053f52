"""Normalised discounted cumulative gain: DCG as a share of what the best ranking would give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from evenrank.cutoff import Kind
from evenrank.metric import Metric, Spread
from evenrank.parameters import Choice
from evenrank.tally import Tally
from evenrank.tie_orders.discounted_gain import discounted_gain, gains_of, ideal_gain


@dataclass(frozen=True)
class NormalizedDiscountedCumulativeGain(Metric):
    """DCG divided by the DCG of the ideal ranking of the whole database, cut at the same rank; exact over tie orders.

    Gains and discounts are those of `DCG`.

    >>> tally = Tally([[[1, 1, 0, 1], [0, 0, 2, 0], [3, 1, 0, 0]]], levels=[0, 1, 2, 3], distances=[0, 1, 2])
    >>> NormalizedDiscountedCumulativeGain().spread(tally).expected.round(8)
    array([0.75480248])
    """

    names: ClassVar[tuple[str, ...]] = ("nDCG",)
    aliases: ClassVar[dict[str, str]] = {"normalized_discounted_cumulative_gain": "nDCG"}
    cutoffs: ClassVar[tuple[Kind, ...]] = ("none", "rank")

    gain: Annotated[str, Choice("exponential", "linear")] = "exponential"
    discount: Annotated[str, Choice("log2", "reciprocal")] = "log2"

    def spread(self, tally: Tally) -> Spread:
        """Return nDCG of each query over tie orders."""
        gains, _ = gains_of(tally.levels, self.gain)
        ideal = ideal_gain(tally, gains, self.discount, self.cutoff)
        divisor = np.where(ideal > 0, ideal, 1)
        return Spread(*(part / divisor for part in discounted_gain(tally, gains, self.discount, self.cutoff)))
