"""NT-Xent, also N-pairs or InfoNCE: every positive against all negatives (Sohn, 2016; Chen et al., 2020).

Its formula and its ranges are in `objectives/metric_learning/nt_xent.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.nt_xent import NTXent as Loss


@dataclass(eq=False, repr=False, kw_only=True)
class NTXent(Trained):
    """Embeddings in which each positive stands out from the negatives of its anchor; items may have several labels."""

    title = "NT-Xent"
    paper = "5, Table 7"
    several_labels = True

    temperature: Annotated[float, range_of(Loss, "temperature")] = Loss.temperature

    def objective(self, classes: int) -> Loss:
        """Return the cross-entropy of positive pairs."""
        return Loss(temperature=self.temperature)
