"""Recall: how much of what is relevant was retrieved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from evenrank.cutoff import Kind
from evenrank.metric import Metric, Spread
from evenrank.parameters import Integer
from evenrank.tally import Tally


@dataclass(frozen=True)
class Recall(Metric):
    """Share of the relevant items that lie among the first k or within a Hamming radius.

    R@k = Σ_d s_d n_d⁺ / n_d / N⁺. Metric learning's "Recall@k" is another number, `Success@k`.

    >>> from evenrank.cutoff import Cutoff
    >>> tally = Tally([[[1, 1], [1, 2]]], levels=[0, 1], distances=[0, 1])
    >>> Recall(Cutoff("rank", 2)).spread(tally).expected.round(4)
    array([0.3333])
    """

    names: ClassVar[tuple[str, ...]] = ("R", "recall")
    cutoffs: ClassVar[tuple[Kind, ...]] = ("rank", "radius")

    rel: Annotated[int | None, Integer(1)] = None

    def spread(self, tally: Tally) -> Spread:
        """Return R of each query over tie orders."""
        groups = tally.groups(self.rel)
        relevant = np.maximum(groups.total_relevant, 1)
        return Spread(*(found / relevant for found in groups.found(self.cutoff)))
