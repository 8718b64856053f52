"""LSH: the signs of random projections (Charikar, STOC 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.method import Method, linear_codes
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class LSH(Method):
    """Each bit says on which side of a random hyperplane through the mean an item lies.

    Features are centred first: on uncentred non-negative features most bits would be constant.
    """

    title = "LSH"
    paper = "Charikar, STOC 2002"
    cost = "a mean"

    bits: Annotated[int, Integer(1, 4096)] = 32
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Draw W from N(0, 1), (dimensions, bits)."""
        self.mean_ = x.mean(axis=0, dtype=np.float64)
        self.weights_ = np.random.default_rng(self.seed).standard_normal((x.shape[1], self.bits))

    def read(self, x: np.ndarray) -> Codes:
        """Return bits (x − mean) W > 0."""
        return linear_codes(x, self.weights_, self.mean_ @ self.weights_)
