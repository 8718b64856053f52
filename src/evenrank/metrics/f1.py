"""F1: the harmonic mean of precision and recall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from evenrank.cutoff import Kind
from evenrank.metric import Metric, Spread
from evenrank.parameters import Integer
from evenrank.tally import Tally


@dataclass(frozen=True)
class F1(Metric):
    """Harmonic mean of precision and recall among the first k or within a Hamming radius.

    F1@k = 2 · found / (k + N⁺): both shares have the same numerator, so the mean over tie orders is exact too.

    >>> from evenrank.cutoff import Cutoff
    >>> tally = Tally([[[1, 1], [1, 2]]], levels=[0, 1], distances=[0, 1])
    >>> F1(Cutoff("rank", 2)).spread(tally).expected
    array([0.4])
    """

    names: ClassVar[tuple[str, ...]] = ("F1",)
    cutoffs: ClassVar[tuple[Kind, ...]] = ("rank", "radius")

    rel: Annotated[int | None, Integer(1)] = None

    def spread(self, tally: Tally) -> Spread:
        """Return F1 of each query over tie orders."""
        groups = tally.groups(self.rel)
        both = np.maximum(groups.cut(self.cutoff) + groups.total_relevant, 1)
        return Spread(*(2 * found / both for found in groups.found(self.cutoff)))
