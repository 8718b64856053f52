"""DPSH: the likelihood of pair labels under inner products (Li, Wang, Kang, IJCAI 2016).

With Θ = ⟨u, v⟩ / 2, a pair is similar with probability sigmoid(Θ), so a batch of B items costs

    mean over pairs of log(1 + e^Θ) − s Θ   +   η / (B n) · Σ ‖sgn u − u‖².

Each item of the batch meets the stored outputs v of the n training items, which carry no gradient; the items of the
batch themselves are left out. Both terms are divided as in the authors' code, so that their η of 10 to 100 means the
same here: what the second term weighs depends on n.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Tensor
from torch.nn.functional import softplus

from evenrank.objective import Batch, Objective, mean_over
from evenrank.parameters import Real
from evenrank.soft_counts import IGNORED


@dataclass(eq=False, repr=False, kw_only=True)
class DPSH(Objective):
    """Minus the mean log-likelihood of the batch's pairs with all training items, plus a quantisation term."""

    title = "DPSH"
    paper = "Li et al., IJCAI 2016"
    kind = "codes"
    banked = True

    quantisation: Annotated[float, Real(0, search=(1, 1000), log=True)] = 50.0  # η

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the scalar to minimise."""
        if batch.bank is None:
            raise ValueError("DPSH needs the outputs of all training items: batch.bank must be a Bank; got None")
        stored, levels = batch.bank.outputs, batch.bank.levels
        theta = outputs @ stored.T / 2  # (items, training items)
        pairs = mean_over(softplus(theta) - (levels > 0) * theta, levels != IGNORED)
        signs = torch.where(outputs > 0, 1.0, -1.0)
        return pairs + self.quantisation * (signs - outputs).square().sum() / max(1, theta.numel())
