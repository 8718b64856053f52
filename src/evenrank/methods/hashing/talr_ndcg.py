"""TALR-NDCG: descent on tie-aware nDCG itself, of relaxed codes (He et al., CVPR 2018; paper 1, §4).

The objective is `objectives/tie_aware_dcg.py`. Every level of relevance counts, where the authors' code makes them two
for data without labels, and the ideal leaves the query itself out. Rows of several labels mean the number of labels in
common. Settings as in `talr_ap`; the authors use one bin for two bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.continuation import Continuation
from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.tie_aware_dcg import TieAwareDCG
from evenrank.parameters import Choice, Integer, Real
from evenrank.relevance import Relevance, SharedLabels


@dataclass(eq=False, repr=False, kw_only=True)
class TALRNDCG(Trained):
    """Codes by which each item of a batch finds the others in the order of their relevance."""

    title = "TALR-NDCG"
    paper = "1, §4"
    cost = "gradient descent"
    metric = "nDCG"

    learning_rate: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.5
    relaxation: Annotated[str, Choice("exact", "log", "midpoint", "simplified")] = "simplified"
    gain: Annotated[str, Choice("exponential", "linear")] = "exponential"
    alpha: Annotated[float, Real(1e-6, search=(0.1, 40), log=True)] = 0.5  # codes are tanh(alpha · outputs)
    final_alpha: Annotated[float | None, Real(1e-6)] = None  # None: alpha stays
    bins: Annotated[int | None, Integer(1)] = None  # None: one for two bits

    def objective(self) -> TieAwareDCG:
        """Return one minus tie-aware nDCG."""
        bins = self.bins or max(1, self.bits // 2)
        return TieAwareDCG(relaxation=self.relaxation, gain=self.gain, alpha=self.alpha, bins=bins)

    def continuation(self, steps: int) -> Continuation | None:
        """Return how alpha grows, if it does."""
        if self.final_alpha is None:
            return None
        return Continuation.geometric(start=self.alpha, end=self.final_alpha, steps=steps)

    def _supervision(self, y: Any, items: int) -> Any:
        relevance = super()._supervision(y, items)
        if isinstance(relevance, SharedLabels) and not isinstance(y, Relevance):
            return SharedLabels(np.asarray(y), np.asarray(y), graded=True)
        return relevance
