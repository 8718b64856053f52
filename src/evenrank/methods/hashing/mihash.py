"""MIHash: the mutual information between Hamming distance and relevance (Cakir et al., ICCV 2017, TPAMI 2019).

The objective is `objectives/mutual_information.py`. The authors' code scales outputs by 2 sigmoid(s x) − 1, s from 1 to
30, which is tanh(alpha x) with alpha = s / 2; batch 256, rates from 1e-3 to 0.1 for deep networks, halved in steps.
Here it is one for linear maps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.mutual_information import MutualInformation
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class MIHash(Trained):
    """Codes whose distances say as much as possible about who is relevant."""

    title = "MIHash"
    paper = "Cakir et al., ICCV 2017"
    cost = "gradient descent"

    learning_rate: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.5
    stages: Annotated[int, Integer(1)] = 3
    alpha: Annotated[float, Real(1e-6, search=(0.1, 40), log=True)] = 0.5  # codes are tanh(alpha · outputs)
    bins: Annotated[int | None, Integer(1)] = None  # None: one for two bits

    def objective(self) -> MutualInformation:
        """Return minus the mutual information."""
        return MutualInformation(alpha=self.alpha, bins=self.bins)
