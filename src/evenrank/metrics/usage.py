"""Usage: how well a set of codes uses the codes there are."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import ClassVar

import numpy as np

from evenrank.codes import Codes
from evenrank.distinct import distinct
from evenrank.metric import Metric, Reads


@dataclass(frozen=True)
class Usage(Metric):
    """How N items use the 2^b codes of b bits; four numbers from 0 to 1.

    utilisation: distinct codes / min(2^b, N), 1 if no more could be in use; utilisation_of_space: distinct codes / 2^b
    (what Proposition 1 of paper 2 bounds by 2/3); entropy: of the items over the codes, divided by log min(2^b, N), its
    largest value (1 where that is 0); collision_rate: share of items that share their code with another item.

    >>> Usage().measure(Codes.from_bits([[0, 0], [0, 1], [0, 1], [1, 1]]))
    {'utilisation': 0.75, 'utilisation_of_space': 0.75, 'entropy': 0.75, 'collision_rate': 0.5}
    """

    names: ClassVar[tuple[str, ...]] = ("usage",)
    reads: ClassVar[Reads] = "codes"

    @property
    def needs_relevant(self) -> bool:
        """Return False: codes have no relevance."""
        return False

    def measure(self, codes: Codes) -> dict[str, float]:
        """Return the four numbers."""
        multiplicity = distinct(codes).multiplicity
        usable = min(2**codes.bits, len(codes))
        share = multiplicity / len(codes)
        return {
            "utilisation": len(multiplicity) / usable,
            "utilisation_of_space": len(multiplicity) / 2**codes.bits,
            "entropy": float(-(share * np.log(share)).sum()) / log(usable) if usable > 1 else 1.0,
            "collision_rate": float(multiplicity[multiplicity > 1].sum() / len(codes)),
        }
