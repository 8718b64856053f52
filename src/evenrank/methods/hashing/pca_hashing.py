"""PCA hashing: the signs of the principal components (Wang, Kumar and Chang, CVPR 2010, as a baseline of Gong and
Lazebnik, CVPR 2011).

    bit_k(x) = [w_k · (x − mean) > 0],    w_k the axis of k-th largest variance

The code in circulation leaves the mean in and still cuts at 0, which is right only for features centred before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.method import Method, fewer_bits, linear_codes
from evenrank.methods.hashing._checks import check_varied
from evenrank.methods.hashing._projections import principal_axes
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class PCAHashing(Method):
    """Each bit says on which side of the mean an item lies along one principal axis.

    There are as many bits as axes along which the features vary, at most; it warns if that is fewer than asked for.
    """

    title = "PCAH"
    paper = "Wang et al., CVPR 2010"
    cost = "one eigendecomposition, dimensions × dimensions"

    bits: Annotated[int, Integer(1, 4096)] = 32

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Find W, the axes of largest variance, (dimensions, bits)."""
        check_varied(self, x)
        self.mean_ = x.mean(axis=0, dtype=np.float64)
        self.weights_ = principal_axes(x, self.mean_, self.bits)
        fewer_bits(self, self.bits, self.weights_.shape[1])

    def read(self, x: np.ndarray) -> Codes:
        """Return bits (x − mean) W > 0."""
        return linear_codes(x, self.weights_, self.mean_ @ self.weights_)
