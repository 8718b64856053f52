"""DPSH: the likelihood of pair labels under inner products of outputs (Li, Wang, Kang, IJCAI 2016).

The objective is `objectives/dpsh.py`: each item of a batch meets the stored outputs of all training items. The authors'
released code trains a deep network for 150 epochs by plain SGD at 0.05, batch 128. A linear map needs fewer epochs and
a higher rate; on weak features it gains little over random projections, and more with `momentum` 0.9 at 0.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.dpsh import DPSH as Likelihood  # noqa: N811
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class DPSH(Trained):
    """Signs of outputs whose inner products say which pairs are similar."""

    title = "DPSH"
    paper = "Li et al., IJCAI 2016"
    cost = "gradient descent; a batch meets all training items"

    batch: Annotated[int, Integer(2)] = 128
    learning_rate: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.3
    momentum: Annotated[float, Real(0, 0.9999)] = 0.0
    weight_decay: Annotated[float, Real(0)] = 1e-5
    quantisation: Annotated[float, Real(0, search=(1, 1000), log=True)] = 50.0  # η

    def objective(self) -> Likelihood:
        """Return the pair likelihood."""
        return Likelihood(quantisation=self.quantisation)
