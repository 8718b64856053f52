"""Discounted cumulative gain: what graded relevance is worth, less the further down it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from evenrank.cutoff import Kind
from evenrank.metric import Metric, Spread
from evenrank.parameters import Choice
from evenrank.tally import Tally
from evenrank.tie_orders.discounted_gain import discounted_gain, gains_of


@dataclass(frozen=True)
class DiscountedCumulativeGain(Metric):
    """Sum of gain times discount over the ranks, exact over tie orders (paper 1 Eq. 7, corrected).

    DCG = Σ_d (1/n_d) Σ_v G(v) n_{d,v} Σ_t D(t) over the ranks t of group d above the cut. `gain` exponential is
    G(v) = 2^v - 1, linear G(v) = v; `discount` log2 is D(t) = 1/log2(t + 1), reciprocal D(t) = 1/t.

    >>> tally = Tally([[[1, 1, 0, 1], [0, 0, 2, 0], [3, 1, 0, 0]]], levels=[0, 1, 2, 3], distances=[0, 1, 2])
    >>> DiscountedCumulativeGain().spread(tally).expected.round(8)
    array([8.46157629])
    """

    names: ClassVar[tuple[str, ...]] = ("DCG",)
    aliases: ClassVar[dict[str, str]] = {"discounted_cumulative_gain": "DCG"}
    cutoffs: ClassVar[tuple[Kind, ...]] = ("none", "rank", "radius")

    gain: Annotated[str, Choice("exponential", "linear")] = "exponential"
    discount: Annotated[str, Choice("log2", "reciprocal")] = "log2"

    @property
    def needs_relevant(self) -> bool:
        """Return False: nothing gained is a gain of 0."""
        return False

    def spread(self, tally: Tally) -> Spread:
        """Return DCG of each query over tie orders."""
        gains, scale = gains_of(tally.levels, self.gain)
        return Spread(*(scale * part for part in discounted_gain(tally, gains, self.discount, self.cutoff)))
