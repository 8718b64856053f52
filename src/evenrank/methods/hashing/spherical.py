"""Spherical hashing: each bit says whether an item lies inside a sphere (Heo et al., CVPR 2012).

Spheres should each hold half of the items, and each pair of them a quarter:

    O_i = N / 2,   O_ij = N / 4     with O_ij the items in both spheres i and j

so radii are medians of the distances to the centres, and centres repel or attract each other in turns,

    f_ij = ½ (O_ij − N/4) / (N/4) · (c_i − c_j),   c_i ← c_i + Σ_j f_ij / b

until mean |O_ij − N/4| ≤ 0.1 N/4 and the deviation of O_ij ≤ 0.15 N/4. `iterations` ends what never gets there. Codes
are ranked by plain Hamming distance here; the authors also propose |xor| / |and|.
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

POINTS = 5  # a centre starts as the mean of so many items


@dataclass(eq=False, repr=False, kw_only=True)
class Spherical(Method):
    """Each bit says whether an item lies in a sphere that holds half of the items, and shares a quarter with any other.

    It learns from `sample` items drawn by `seed`, and gives as many bits as asked for, however few the dimensions.
    """

    title = "SpH"
    paper = "Heo et al., CVPR 2012"
    cost = "up to `iterations` times the distances of items to centres"

    bits: Annotated[int, Integer(1, 4096)] = 32
    iterations: Annotated[int, Integer(1, 10_000)] = 100
    mean_tolerance: Annotated[float, Real(0, 1)] = 0.1
    deviation_tolerance: Annotated[float, Real(0, 1)] = 0.15
    sample: Annotated[int, Integer(2)] = 20_000
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Move the centres until the spheres overlap as they should."""
        random = np.random.default_rng(self.seed)
        if len(x) > self.sample:
            x = x[np.sort(random.choice(len(x), self.sample, replace=False))]
        check_varied(self, x)
        self.mean_ = x.mean(axis=0, dtype=np.float64)
        items = x - self.mean_  # keeps the differences of large squares small
        centres = items[random.integers(len(x), size=(self.bits, POINTS))].mean(axis=1)  # (bits, dimensions)
        for _ in range(self.iterations):
            excess = _overlaps(items, centres) / (len(x) / 4) - 1  # (O_ij − N/4) / (N/4), 0 for i = j
            if self._even(excess):
                break
            centres += (excess.sum(axis=1)[:, None] * centres - excess @ centres) / (2 * self.bits)
        self.centres_ = centres
        self.radii_ = _radii(_squares(items, centres))  # squared

    def read(self, x: np.ndarray) -> Codes:
        """Return bits ‖x − c_i‖² ≤ r_i²."""
        packed = [
            np.packbits(_squares(block - self.mean_, self.centres_) <= self.radii_, axis=1)
            for _, block in row_blocks(x)
        ]
        return Codes.from_packed(np.concatenate(packed), bits=len(self.centres_))

    def _even(self, excess: np.ndarray) -> bool:
        """Return whether the overlaps of all pairs are near enough to N/4."""
        pairs = excess[np.triu_indices(self.bits, 1)]
        if not len(pairs):
            return True
        return bool(np.abs(pairs).mean() <= self.mean_tolerance and pairs.std() <= self.deviation_tolerance)


def _squares(items: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the squared distances of items to centres, (items, centres)."""
    lengths = np.square(items).sum(axis=1)[:, None] + np.square(centres).sum(axis=1)
    return lengths - 2 * (items @ centres.T)


def _radii(squares: np.ndarray) -> np.ndarray:
    """Return the squared radii within which ⌊N / 2⌋ items lie, one for each centre."""
    half = max(len(squares) // 2, 1) - 1
    return np.partition(squares, half, axis=0)[half]


def _overlaps(items: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return how many items lie in both spheres of each pair, (centres, centres); N / 4 for a sphere and itself."""
    squares = _squares(items, centres)
    inside = (squares <= _radii(squares)).astype(np.float32)  # exact: counts below 2²⁴
    overlaps = (inside.T @ inside).astype(np.float64)
    np.fill_diagonal(overlaps, len(items) / 4)
    return overlaps
