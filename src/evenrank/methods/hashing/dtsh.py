"""DTSH: the likelihood of triplet labels under inner products of outputs (Wang, Shi, Kitani, ACCV 2016).

The objective is `objectives/dtsh.py`: each item of a batch draws relevant and irrelevant items among the stored outputs
of those outside the batch. The authors train for 100 epochs of batch 128 and multiply the rate by 2/3 after every 20, a
fifth: here too, over fewer epochs. Their rate of 5e-4 belongs to sums over triplets, and to a deep network; here these
are means, and the rate is one for linear maps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.dtsh import DTSH as Likelihood  # noqa: N811
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class DTSH(Trained):
    """Signs of outputs whose inner products are larger with relevant than with irrelevant items."""

    title = "DTSH"
    paper = "Wang et al., ACCV 2016"
    cost = "gradient descent; a batch meets all training items"

    batch: Annotated[int, Integer(2)] = 128
    learning_rate: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.1
    stages: Annotated[int, Integer(1)] = 5
    decay: Annotated[float, Real(0, 1)] = 2 / 3
    margin: Annotated[float, Real(0, 4, search=(0.1, 1))] = 0.5  # in units of b
    quantisation: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.009  # λ
    positives: Annotated[int, Integer(1)] = 50
    negatives: Annotated[int, Integer(1)] = 450

    def objective(self) -> Likelihood:
        """Return the triplet likelihood."""
        return Likelihood(
            margin=self.margin,
            quantisation=self.quantisation,
            positives=self.positives,
            negatives=self.negatives,
            seed=self.seed,
        )
