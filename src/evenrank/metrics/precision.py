"""Precision: how much of what was retrieved is relevant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from evenrank.cutoff import Kind
from evenrank.metric import Metric, Spread
from evenrank.parameters import Integer
from evenrank.tally import Tally


@dataclass(frozen=True)
class Precision(Metric):
    """Share of relevant items among the first k, among the first R (R-precision), or within a Hamming radius.

    P@k = Σ_d s_d n_d⁺ / n_d / k (McSherry and Najork 2008). An empty Hamming ball has precision 0.

    >>> from evenrank.cutoff import Cutoff
    >>> tally = Tally([[[1, 1], [1, 2]]], levels=[0, 1], distances=[0, 1])
    >>> Precision(Cutoff("rank", 1)).spread(tally).expected
    array([0.5])
    """

    names: ClassVar[tuple[str, ...]] = ("P", "precision")
    aliases: ClassVar[dict[str, str]] = {"Rprec": "P@R", "r_precision": "P@R"}
    cutoffs: ClassVar[tuple[Kind, ...]] = ("rank", "relevant", "radius")

    rel: Annotated[int | None, Integer(1)] = None

    @property
    def needs_relevant(self) -> bool:
        """Return True for R-precision alone: nothing relevant at rank k is a precision of 0."""
        return self.cutoff.kind == "relevant"

    def spread(self, tally: Tally) -> Spread:
        """Return P of each query over tie orders."""
        groups = tally.groups(self.rel)
        retrieved = np.maximum(groups.cut(self.cutoff), 1)
        return Spread(*(found / retrieved for found in groups.found(self.cutoff)))
