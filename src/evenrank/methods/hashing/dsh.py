"""Deep Supervised Hashing: a contrastive loss on near-binary outputs (Liu, Wang, Shan, Chen, CVPR 2016).

The objective is `objectives/dsh.py`. Not Density Sensitive Hashing, which also goes by DSH. On images the authors' own
network is "dsh", with learning_rate 1e-3 and weight_decay 0.004. The schedule is paper 2's: batch 200, the rate
multiplied by 0.6 after every fifth of the epochs. It takes 750 of them and starts at 0.01 with this network; the rate
here is one for linear maps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.dsh import DSH as Contrastive  # noqa: N811
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class DSH(Trained):
    """Signs of outputs that are drawn together where similar, apart where not, and to ±1."""

    title = "DSH"
    paper = "Liu et al., CVPR 2016"
    cost = "gradient descent"

    batch: Annotated[int, Integer(2)] = 200
    learning_rate: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.4
    stages: Annotated[int, Integer(1)] = 5
    decay: Annotated[float, Real(0, 1)] = 0.6
    margin: Annotated[float, Real(0, 4, search=(0.5, 4))] = 2.0  # of the squared distance, in units of b
    quantisation: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.01

    def objective(self) -> Contrastive:
        """Return the contrastive loss."""
        return Contrastive(margin=self.margin, quantisation=self.quantisation)
