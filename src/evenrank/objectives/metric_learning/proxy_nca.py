"""ProxyNCA: each item against one learned proxy a class (Movshovitz-Attias et al., 2017).

With proxies p_c normalised like the embeddings and d the Euclidean distance, the mean over items of

    −log( e^{−s d(x, p_own)²} / Σ_c e^{−s d(x, p_c)²} )

The own proxy is in the denominator, unlike in the original; without the scale s distances of at most 2 could not be
told apart by a softmax.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from evenrank.objectives.metric_learning._adapter import MetricLoss, directions, euclidean, library
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class ProxyNCA(MetricLoss):
    """Cross-entropy over the scaled squared distances to one learned proxy a class."""

    title = "ProxyNCA"
    paper = "5, Table 7"
    kind = "embeddings"
    parameterised = True

    classes: Annotated[int, Integer(1)]
    dimensions: Annotated[int, Integer(1)]
    # Above 186 the library's probabilities underflow in float64 too, and it drops the item.
    scale: Annotated[float, Real(1e-6, 180, search=(0.01, 100), log=True)] = 14.0
    learning_rate: Annotated[float, Real(0, search=(1e-6, 1), log=True)] = 6e-3  # of the proxies
    seed: int = 0

    def build(self) -> Any:
        """Return the library's loss."""
        return library("losses").ProxyNCALoss(
            self.classes,
            self.dimensions,
            softmax_scale=self.scale,
            distance=euclidean(power=2),
            weight_init_func=directions(self.seed),
        )
