"""ProxyNCA: each item against one learned proxy a class (Movshovitz-Attias et al., 2017).

Its formula and its ranges are in `objectives/metric_learning/proxy_nca.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.embedding._trained import Trained, range_of
from evenrank.objectives.metric_learning.proxy_nca import ProxyNCA as Loss
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class ProxyNCA(Trained):
    """Embeddings in which items lie nearest to the proxy of their class."""

    title = "ProxyNCA"
    paper = "5, Table 7"

    members: Annotated[int, Integer(1)] = 1  # of a class in a batch
    scale: Annotated[float, range_of(Loss, "scale")] = Loss.scale
    loss_learning_rate: Annotated[float, range_of(Loss, "learning_rate")] = Loss.learning_rate  # of the proxies

    def objective(self, classes: int) -> Loss:
        """Return the cross-entropy over proxies."""
        return Loss(
            classes=classes,
            dimensions=self.dimensions,
            scale=self.scale,
            learning_rate=self.loss_learning_rate,
            seed=self.seed,
        )
