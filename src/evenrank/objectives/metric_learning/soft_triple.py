"""SoftTriple: classification by the similarity to several centres a class (Qian et al., 2019).

With K centres w_ck a class, normalised like the embeddings x, and s_ck = w_ckᵀx,

    S_c = Σ_k softmax_k(s_ck / γ) s_ck        a large γ averages, a small one takes the nearest centre

the loss is the mean over items of the cross-entropy of the logits λ S_c, the own class λ (S_own − m), plus

    τ · mean over pairs of centres of one class of √(2 + 1e-5 − 2 w_cjᵀw_ck)

which draws the centres of a class together. The library no longer has this last term; here it is the mean, as in the
version that paper 5 used (the authors divide the same sum by twice the number of pairs).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import torch
from torch import Tensor

from evenrank.objectives.metric_learning._adapter import MetricLoss, directions, library, unit
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class SoftTriple(MetricLoss):
    """Cross-entropy of the soft maxima of cosines to several learned centres a class, centres drawn together."""

    title = "SoftTriple"
    paper = "5, Table 7"
    kind = "embeddings"
    parameterised = True

    classes: Annotated[int, Integer(1)]
    dimensions: Annotated[int, Integer(1)]
    centres: Annotated[int, Integer(1)] = 10  # a class
    scale: Annotated[float, Real(1e-6, search=(0.01, 100), log=True)] = 78.0  # λ
    gamma: Annotated[float, Real(1e-6, search=(0.01, 100), log=True)] = 59.0
    regularisation: Annotated[float, Real(0, search=(1e-3, 1), log=True)] = 0.38  # τ
    margin: Annotated[float, Real(0, 2, search=(0, 1))] = 0.43
    learning_rate: Annotated[float, Real(0, search=(1e-6, 1), log=True)] = 5.4e-5  # of the centres
    seed: int = 0

    def build(self) -> Any:
        """Return the library's loss, with the distances between centres as its regulariser of weights."""
        return library("losses").SoftTripleLoss(
            self.classes,
            self.dimensions,
            centers_per_class=self.centres,
            la=self.scale,
            gamma=self.gamma,
            margin=self.margin,
            weight_init_func=directions(self.seed),
            weight_regularizer=partial(_spread, centres=self.centres) if self.centres > 1 else None,
            weight_reg_weight=self.regularisation,
        )


def _spread(weights: Tensor, centres: int) -> Tensor:
    """Return the mean distance between centres of one class; rows are the centres, class by class."""
    grouped = unit(weights).view(-1, centres, weights.shape[1])
    first, second = torch.triu_indices(centres, centres, offset=1)
    cosines = (grouped @ grouped.mT)[:, first, second]
    return torch.sqrt(2 + 1e-5 - 2 * cosines).mean()
