"""Deep Supervised Hashing with dispersion: codes of a class near, but not all the same (paper 2, Eq. 20).

The objective is `objectives/dispersion.py`, where it also says what the printed margin asks for. Schedule as in `dsh`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.dispersion import Dispersion
from evenrank.parameters import Choice, Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class DSHDispersed(Trained):
    """Signs of outputs whose distances lie in a range where similar, beyond a margin where not."""

    title = "DSH, dispersed"
    paper = "2, Eq. 20"
    cost = "gradient descent"

    batch: Annotated[int, Integer(2)] = 200
    learning_rate: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.4
    stages: Annotated[int, Integer(1)] = 5
    decay: Annotated[float, Real(0, 1)] = 0.6
    inner: Annotated[float, Real(0, 2, search=(0, 0.2))] = 1 / 6  # of the range of L1 distances, in units of b
    outer: Annotated[float, Real(0, 2, search=(0.2, 0.8))] = 1 / 3
    margin: Annotated[str, Choice("paper", "consistent", search=("paper", "consistent"))] = "paper"
    quantisation: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.01

    def objective(self) -> Dispersion:
        """Return the dispersion loss."""
        return Dispersion(inner=self.inner, outer=self.outer, margin=self.margin, quantisation=self.quantisation)
