"""HashNet: weighted pair likelihood under tanh codes that sharpen as training goes on (Cao et al., ICCV 2017).

The objective is `objectives/hashnet.py`. Two batches of 36 are paired, which is one batch of 72 here. The authors take
10,000 steps: the scale of tanh is (1 + 0.005 · step)^½, refreshed after every 200, and the learning rate is halved
after every 2,000. Both schedules are stretched to the steps there are. Their hash layer has ten times the rate of a
pretrained trunk; nothing is pretrained here, and the rate is one for linear maps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.continuation import Continuation
from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.hashnet import HashNet as Likelihood
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class HashNet(Trained):
    """Signs that tanh turns into during training, from inner products that say which pairs are similar."""

    title = "HashNet"
    paper = "Cao et al., ICCV 2017"
    cost = "gradient descent"
    nesterov = True

    batch: Annotated[int, Integer(2)] = 72
    learning_rate: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.2
    stages: Annotated[int, Integer(1)] = 5
    sharpness: Annotated[float, Real(1e-6, search=(1, 100), log=True)] = 10.0  # of the sigmoid, times b
    positive_weight: Annotated[float | None, Real(1e-6)] = None  # of a similar pair; None: both kinds balanced

    def objective(self) -> Likelihood:
        """Return the weighted pair likelihood."""
        return Likelihood(sharpness=self.sharpness, positive_weight=self.positive_weight)

    def continuation(self, steps: int) -> Continuation:
        """Return the authors' schedule, stretched from 10,000 steps to as many as there are."""
        return Continuation(growth=50 / steps, power=0.5, every=max(1, steps // 50))
