"""DTSH: the likelihood of triplet labels under inner products (Wang, Shi, Kitani, ACCV 2016).

With Θ = ⟨u, v⟩ / 2, item q is closer to a relevant item p than to an irrelevant item n with probability
sigmoid(Θ_qp − Θ_qn − margin), so a batch costs

    − mean over triplets of log sigmoid(Θ_qp − Θ_qn − margin)   +   λ · mean over items of ‖sgn u − u‖²,

with a margin of b/2 for b bits. p and n are stored outputs, without gradient, of training items that are not in the
batch. Each item of the batch draws some of both and meets all their combinations; the draws depend on the seed and on
which rows form the batch, not on the order of these rows, so training can be repeated and needs no hidden state.

The authors draw 50 positives and 50 negatives from each other class (450 on CIFAR-10), sum the triplets, and step along
4η (u − sgn u) with η = 100: next to a mean that is λ = 2η / (50 · 450).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import softplus

from evenrank.objective import Batch, Objective, mean_over
from evenrank.parameters import Integer, Real
from evenrank.soft_counts import IGNORED


@dataclass(eq=False, repr=False, kw_only=True)
class DTSH(Objective):
    """Minus the mean log-likelihood of triplets with stored outputs, plus a quantisation term.

    Items without a stored relevant or without a stored irrelevant one form no triplets.
    """

    title = "DTSH"
    paper = "Wang et al., ACCV 2016"
    kind = "codes"
    banked = True

    margin: Annotated[float, Real(0, 4, search=(0.1, 1))] = 0.5  # in units of b
    quantisation: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.009  # λ
    positives: Annotated[int, Integer(1)] = 50  # drawn for each item, with replacement
    negatives: Annotated[int, Integer(1)] = 450
    seed: int = 0

    def forward(self, outputs: Tensor, batch: Batch) -> Tensor:
        """Return the scalar to minimise."""
        if batch.bank is None:
            raise ValueError("DTSH needs the outputs of all training items: batch.bank must be a Bank; got None")
        levels = batch.bank.levels
        similar, different = (levels > 0) & (levels != IGNORED), levels == 0  # (items, training items)
        uniform = _uniform(batch.rows, self.positives + self.negatives, self.seed).to(outputs.device)
        theta = outputs @ batch.bank.outputs.T / 2
        near = theta.gather(1, _drawn(similar, uniform[:, : self.positives]))  # (items, positives)
        far = theta.gather(1, _drawn(different, uniform[:, self.positives :]))  # (items, negatives)
        short = self.margin * outputs.shape[1] + far[:, None, :] - near[:, :, None]  # −log sigmoid(−x) = softplus(x)
        triplets = mean_over(softplus(short).mean(dim=(1, 2)), similar.any(dim=1) & different.any(dim=1))
        signs = torch.where(outputs > 0, 1.0, -1.0)
        return triplets + self.quantisation * (signs - outputs).square().sum(dim=1).mean()


def _uniform(rows: Tensor, count: int, seed: int) -> Tensor:
    """Return (items, count) numbers below 1 that follow the rows if these are reordered."""
    order = np.argsort(rows.cpu().numpy(), kind="stable")
    drawn = np.random.default_rng([seed, *rows.cpu().numpy()[order]]).random((len(order), count))
    return torch.from_numpy(drawn[np.argsort(order)])


def _drawn(allowed: Tensor, uniform: Tensor) -> Tensor:
    """Return, for each number below 1, the column that lies that far among the allowed columns of its row."""
    rank = allowed.cumsum(dim=1)
    place = (uniform * rank[:, -1:]).long() + 1
    return torch.searchsorted(rank, place).clamp(max=allowed.shape[1] - 1)  # a row without any is not counted later
