"""ITQ: rotate the principal components to lie near the corners of a cube (Gong and Lazebnik, CVPR 2011).

    min over B ∈ {−1, 1}, R orthogonal   ‖B − V R‖²,    V = (X − mean) W, W the b widest axes

    B = sgn(V R)                                          the best corners for a rotation
    Bᵀ V = U S Aᵀ,  R = A Uᵀ                              the best rotation for the corners: Procrustes

in turns, so the quantisation error never rises.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.method import Method, fewer_bits, linear_codes
from evenrank.methods.hashing._checks import check_varied
from evenrank.methods.hashing._projections import components, principal_axes, random_rotation
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class ITQ(Method):
    """Each bit is the sign of a rotated principal component; the rotation makes rounding to signs cost least.

    There are as many bits as axes along which the features vary, at most; it warns if that is fewer than asked for.
    """

    title = "ITQ"
    paper = "Gong and Lazebnik, CVPR 2011"
    cost = "one eigendecomposition, then a decomposition of bits × bits an iteration"

    bits: Annotated[int, Integer(1, 4096)] = 32
    iterations: Annotated[int, Integer(1, 10_000, search=(10, 100))] = 50
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Find W, then R by turns; `errors_` holds ‖B − V R‖² / items after each."""
        check_varied(self, x)
        self.mean_ = x.mean(axis=0, dtype=np.float64)
        axes = principal_axes(x, self.mean_, self.bits)  # (dimensions, bits)
        spread = components(x, self.mean_, axes)  # V (items, bits)
        rotation = random_rotation(fewer_bits(self, self.bits, axes.shape[1]), np.random.default_rng(self.seed))
        self.errors_ = np.empty(self.iterations)
        for turn in range(self.iterations):
            corners = _signs(spread @ rotation)  # B (items, bits)
            left, _, right = np.linalg.svd(corners.T @ spread)
            rotation = right.T @ left.T
            self.errors_[turn] = np.square(corners - spread @ rotation).sum() / len(x)
        self.weights_ = axes @ rotation

    def read(self, x: np.ndarray) -> Codes:
        """Return bits (x − mean) W R > 0."""
        return linear_codes(x, self.weights_, self.mean_ @ self.weights_)


def _signs(values: np.ndarray) -> np.ndarray:
    """Return 1 where a value is above 0 and −1 elsewhere: np.sign would give 0 a third corner."""
    return np.where(values > 0, 1.0, -1.0)
