"""Deep Supervised Hashing with dispersion of classes and superclasses (paper 2, Eq. 25).

The objective is `objectives/superclass_dispersion.py`. It needs to know the superclass too: `y` is a relevance with the
levels 0, 1 (same superclass) and 2 (same class), as `MatchingAttributes` of (superclass, class) is. Schedule as
in `dsh`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.superclass_dispersion import SuperclassDispersion
from evenrank.parameters import Choice, Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class DSHSuperclass(Trained):
    """Signs of outputs that disperse around their class, and classes around their superclass."""

    title = "DSH, dispersed by class and superclass"
    paper = "2, Eq. 25"
    cost = "gradient descent"

    batch: Annotated[int, Integer(2)] = 200
    learning_rate: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.4
    stages: Annotated[int, Integer(1)] = 5
    decay: Annotated[float, Real(0, 1)] = 0.6
    class_inner: Annotated[float, Real(0, 2, search=(0, 0.1))] = 1 / 12  # of ranges of L1 distances, in units of b
    class_outer: Annotated[float, Real(0, 2, search=(0.1, 0.25))] = 1 / 6
    superclass_inner: Annotated[float, Real(0, 2, search=(0.1, 0.25))] = 1 / 6
    superclass_outer: Annotated[float, Real(0, 2, search=(0.25, 0.8))] = 1 / 3
    superclass_pairs: Annotated[str, Choice("all", "different")] = "all"
    margin: Annotated[str, Choice("paper", "consistent", search=("paper", "consistent"))] = "paper"
    quantisation: Annotated[float, Real(0, search=(1e-4, 1), log=True)] = 0.01

    def objective(self) -> SuperclassDispersion:
        """Return the dispersion loss of three levels."""
        return SuperclassDispersion(
            class_inner=self.class_inner,
            class_outer=self.class_outer,
            superclass_inner=self.superclass_inner,
            superclass_outer=self.superclass_outer,
            superclass_pairs=self.superclass_pairs,
            margin=self.margin,
            quantisation=self.quantisation,
        )

    def _supervision(self, y: Any, items: int) -> Any:
        relevance = super()._supervision(y, items)
        if relevance.levels.tolist() != [0, 1, 2]:
            raise ValueError(
                f"{self._name} needs relevance of levels 0, 1 (same superclass) and 2 (same class), like "
                f"MatchingAttributes of (superclass, class); got levels {', '.join(map(str, relevance.levels))}"
            )
        return relevance
