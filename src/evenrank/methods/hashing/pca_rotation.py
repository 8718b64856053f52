"""PCA-RR: principal components turned by a random rotation before their signs are taken (Jégou et al., CVPR 2010;
Gong and Lazebnik, CVPR 2011, who name it).

    bits(x) = [(x − mean) W R > 0],    W the b widest axes, R orthogonal and random

The rotation spreads the variance over the bits, which PCA hashing leaves to its first few.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.method import Method, fewer_bits, linear_codes
from evenrank.methods.hashing._checks import check_varied
from evenrank.methods.hashing._projections import principal_axes, random_rotation
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class PCARotation(Method):
    """Each bit is the sign of a random mixture of the principal components.

    There are as many bits as axes along which the features vary, at most; it warns if that is fewer than asked for.
    """

    title = "PCA-RR"
    paper = "Gong and Lazebnik, CVPR 2011"
    cost = "one eigendecomposition, dimensions × dimensions"

    bits: Annotated[int, Integer(1, 4096)] = 32
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Find W, the axes of largest variance, and turn them by R."""
        check_varied(self, x)
        self.mean_ = x.mean(axis=0, dtype=np.float64)
        axes = principal_axes(x, self.mean_, self.bits)  # (dimensions, bits)
        bits = fewer_bits(self, self.bits, axes.shape[1])
        self.weights_ = axes @ random_rotation(bits, np.random.default_rng(self.seed))

    def read(self, x: np.ndarray) -> Codes:
        """Return bits (x − mean) W R > 0."""
        return linear_codes(x, self.weights_, self.mean_ @ self.weights_)
