"""SKLSH: codes whose Hamming distance follows a Gaussian kernel (Raginsky and Lazebnik, NIPS 2009).

    bit(x) = [√2 cos(w · x + u) + t > 0],    w ~ N(0, γ I), u ~ U[0, 2π], t ~ U[−√2, √2]

so that the expected share of different bits is a function of exp(−γ ‖x − y‖² / 2) alone. γ = 1 is usual,
which fits only features of unit scale; so `gamma` is counted in a unit of the features' own, one over the mean squared
distance to the 50th nearest neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.arrays import row_blocks
from evenrank.codes import Codes
from evenrank.method import Method
from evenrank.methods.hashing._checks import check_varied
from evenrank.parameters import Integer, Real

NEIGHBOUR = 50


@dataclass(eq=False, repr=False, kw_only=True)
class SKLSH(Method):
    """Each bit is a random wave in a random direction, cut at a random height; no direction is preferred.

    Where more than 50 copies of every item leave no distance to a neighbour, the unit is the mean squared distance
    between items.
    """

    title = "SKLSH"
    paper = "Raginsky and Lazebnik, NIPS 2009"
    cost = "distances of `sample` items to all"

    bits: Annotated[int, Integer(1, 4096)] = 32
    gamma: Annotated[float, Real(1e-6, 1e6, search=(0.01, 10), log=True)] = 1.0
    sample: Annotated[int, Integer(1)] = 1000  # items whose neighbours are looked up
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Draw directions, phases and heights."""
        check_varied(self, x)
        random = np.random.default_rng(self.seed)
        gamma = self.gamma / self._unit(x, random)
        self.weights_ = np.sqrt(gamma) * random.standard_normal((x.shape[1], self.bits))  # (dimensions, bits)
        self.phases_ = random.uniform(0, 2 * np.pi, self.bits)
        self.heights_ = random.uniform(-np.sqrt(2), np.sqrt(2), self.bits)

    def read(self, x: np.ndarray) -> Codes:
        """Return bits √2 cos(x W + u) + t > 0."""
        packed = []
        for _, block in row_blocks(x):
            waves = np.sqrt(2) * np.cos(block.astype(np.float64) @ self.weights_ + self.phases_)
            packed.append(np.packbits(waves + self.heights_ > 0, axis=1))
        return Codes.from_packed(np.concatenate(packed), bits=self.weights_.shape[1])

    def _unit(self, x: np.ndarray, random: np.random.Generator) -> float:
        """Return the mean squared distance of a sample of items to their 50th nearest neighbour among all."""
        from sklearn.neighbors import NearestNeighbors

        rows = random.choice(len(x), min(self.sample, len(x)), replace=False)
        search = NearestNeighbors(n_neighbors=min(NEIGHBOUR + 1, len(x)), algorithm="brute").fit(x)  # + 1: itself
        farthest = search.kneighbors(x[rows])[0][:, -1]
        return float(np.square(farthest).mean()) or 2 * float(x.var(axis=0, dtype=np.float64).sum())
