"""Density-sensitive hashing: cut between neighbouring groups of items (Jin, Li, Lin and Cai, IEEE T-Cyb 2014).

    1. k-means with k = 1.5 b groups, stopped after 3 iterations: only a rough picture of the density is needed
    2. a candidate for each pair of r-adjacent groups, one among the 3 nearest of the other: the plane midway,
       w = μ₁ − μ₂,  t = w · (μ₁ + μ₂) / 2
    3. keep the b candidates that part the items most evenly

A whole group counts on the side of its centre. The paper ranks by the entropy of the two shares, which orders
candidates as smaller over larger does. Not to be confused with deep supervised hashing, which is also called DSH.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.arrays import row_blocks
from evenrank.codes import Codes
from evenrank.method import Method, fewer_bits, linear_codes
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class DensitySensitive(Method):
    """Each bit says on which side of the plane between two neighbouring groups an item lies.

    There is one candidate for each pair of neighbouring groups, and never more groups than distinct items; it warns if
    the candidates are fewer than the bits asked for.
    """

    title = "Density-SH"
    paper = "Jin et al., IEEE T-Cyb 2014"
    cost = "three iterations of k-means"

    bits: Annotated[int, Integer(1, 4096)] = 32
    groups: Annotated[float, Real(1, 100, search=(1, 3))] = 1.5  # per bit
    adjacent: Annotated[int, Integer(1, 100, search=(1, 10))] = 3
    iterations: Annotated[int, Integer(1, 1000)] = 3
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Group the items, and keep the most even of the planes between neighbouring groups."""
        self.mean_ = x.mean(axis=0, dtype=np.float64)
        count = max(2, int(self.groups * self.bits + 0.5))
        centres, sizes = _groups(x, self.mean_, count, self.iterations, np.random.default_rng(self.seed))
        if len(centres) < 2:
            raise ValueError(f"features of DensitySensitive must vary; got one group of {len(x)} items that are alike")
        first, second = _adjacent(centres, self.adjacent)
        weights = centres[first] - centres[second]  # (candidates, dimensions)
        thresholds = (weights * (centres[first] + centres[second])).sum(axis=1) / 2
        above = (centres @ weights.T > thresholds).T @ sizes  # items on the upper side of each candidate
        evenness = np.minimum(above, len(x) - above) / np.maximum(above, len(x) - above)
        best = np.argsort(-evenness, kind="stable")[: fewer_bits(self, self.bits, len(weights))]
        self.weights_ = weights[best].T  # (dimensions, bits)
        self.thresholds_ = thresholds[best] + self.mean_ @ self.weights_

    def read(self, x: np.ndarray) -> Codes:
        """Return bits (x − mean) · w > t."""
        return linear_codes(x, self.weights_, self.thresholds_)


def _groups(
    x: np.ndarray, mean: np.ndarray, count: int, iterations: int, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return the centres of the groups, less the mean, and their sizes: k-means from random items, no group empty."""
    centres = np.unique(x[random.choice(len(x), min(count, len(x)), replace=False)], axis=0) - mean
    for _ in range(iterations):
        sums, sizes = np.zeros_like(centres), np.zeros(len(centres))
        for _, block in row_blocks(x):
            items = block - mean
            nearest = np.argmin(np.square(centres).sum(axis=1) - 2 * items @ centres.T, axis=1)
            member = np.eye(len(centres))[nearest]  # (items, groups), one-hot
            sums += member.T @ items
            sizes += member.sum(axis=0)
        centres, sizes = sums[sizes > 0] / sizes[sizes > 0, None], sizes[sizes > 0]
    return centres, sizes


def _adjacent(centres: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of groups of which one is among the `count` nearest of the other, each pair once."""
    squares = np.square(centres).sum(axis=1)
    distances = squares[:, None] + squares - 2 * centres @ centres.T
    np.fill_diagonal(distances, np.inf)
    near = np.argsort(distances, axis=1, kind="stable")[:, : min(count, len(centres) - 1)]
    own = np.repeat(np.arange(len(centres)), near.shape[1])
    pairs = np.unique(np.sort(np.stack([own, near.ravel()], axis=1), axis=1), axis=0)
    return pairs[:, 0], pairs[:, 1]
