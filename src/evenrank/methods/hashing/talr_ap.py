"""TALR-AP: descent on tie-aware average precision itself, of relaxed codes (He et al., CVPR 2018; paper 1, §4).

The objective is `objectives/tie_aware_ap.py`; its gradient is the exact one, where the authors' code misses a factor of
2. Their scripts scale outputs by 2 sigmoid(x) − 1, which is tanh(x / 2), with batches of 250, SGD at a constant rate
(0.01 for deep networks; here it is one for linear maps), and one bin for two bits from 32 bits on. `final_alpha` lets
codes sharpen from `alpha` on (appendix D, whose best is alpha → ∞), by the same factor at every step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.continuation import Continuation
from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.tie_aware_ap import TieAwareAP
from evenrank.parameters import Choice, Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class TALRAP(Trained):
    """Codes by which each item of a batch finds the relevant others as early as possible."""

    title = "TALR-AP"
    paper = "1, §4"
    cost = "gradient descent"

    batch: Annotated[int, Integer(2)] = 250
    learning_rate: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.5
    relaxation: Annotated[str, Choice("exact", "log", "midpoint", "simplified")] = "simplified"
    alpha: Annotated[float, Real(1e-6, search=(0.1, 40), log=True)] = 0.5  # codes are tanh(alpha · outputs)
    final_alpha: Annotated[float | None, Real(1e-6)] = None  # None: alpha stays
    bins: Annotated[int | None, Integer(1)] = None  # None: one a bit, from 32 bits on one for two

    def objective(self) -> TieAwareAP:
        """Return one minus tie-aware average precision."""
        bins = self.bins or (self.bits // 2 if self.bits >= 32 else None)
        return TieAwareAP(relaxation=self.relaxation, alpha=self.alpha, bins=bins)

    def continuation(self, steps: int) -> Continuation | None:
        """Return how alpha grows, if it does."""
        if self.final_alpha is None:
            return None
        return Continuation.geometric(start=self.alpha, end=self.final_alpha, steps=steps)
