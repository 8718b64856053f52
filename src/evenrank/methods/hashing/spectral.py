"""Spectral hashing: the smoothest waves along the principal axes (Weiss, Torralba and Fergus, NIPS 2008).

If items were spread evenly over a box, the smoothest functions that a code can be made of would be the waves

    Φ_k,i(x) = sin(π/2 + k π (x_i − low_i) / range_i)     with eigenvalue growing as (k π / range_i)²

of mode k = 1, 2, … along axis i. The box is the bounding box of the training items, turned to its principal axes; the b
waves of smallest eigenvalue are kept, and their signs are the bits. Long axes get several waves. Only waves along one
axis are taken, as the authors do: products of waves follow from their factors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.arrays import row_blocks
from evenrank.codes import Codes
from evenrank.method import Method
from evenrank.methods.hashing._checks import check_varied
from evenrank.methods.hashing._projections import components, principal_axes
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class Spectral(Method):
    """Each bit is the sign of a wave along one principal axis; long axes get several, of growing frequency.

    It gives as many bits as asked for, however few the dimensions.
    """

    title = "SH"
    paper = "Weiss et al., NIPS 2008"
    cost = "one eigendecomposition, dimensions × dimensions"

    bits: Annotated[int, Integer(1, 4096)] = 32

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Fit the box to the principal components and choose the b waves of smallest eigenvalue."""
        check_varied(self, x)
        mean = x.mean(axis=0, dtype=np.float64)
        axes = principal_axes(x, mean, self.bits)  # (dimensions, axes)
        spread = components(x, mean, axes)  # (items, axes)
        low, lengths = spread.min(axis=0), np.ptp(spread, axis=0)
        axis, mode = _waves(lengths, self.bits)
        half_waves = mode / lengths[axis]  # in one unit of length
        self.weights_ = axes[:, axis] * half_waves  # (dimensions, bits)
        self.offsets_ = low[axis] * half_waves + mean @ self.weights_

    def read(self, x: np.ndarray) -> Codes:
        """Return bits cos(π (x W − offset)) > 0, which is the sine above."""
        packed = [
            np.packbits(np.cos(np.pi * (block.astype(np.float64) @ self.weights_ - self.offsets_)) > 0, axis=1)
            for _, block in row_blocks(x)
        ]
        return Codes.from_packed(np.concatenate(packed), bits=self.weights_.shape[1])


def _waves(lengths: np.ndarray, bits: int) -> tuple[np.ndarray, np.ndarray]:
    """Return axis and mode of the waves with the smallest eigenvalues (k π / range)², smoothest first.

    The longest axis alone has modes 1 … b, so there are always enough; a shorter one needs only its share of them.
    """
    most = np.ceil((bits + 1) * lengths / lengths.max()).astype(int) - 1  # highest mode of each axis
    axis = np.repeat(np.arange(len(lengths)), most)
    mode = np.concatenate([np.arange(1, count + 1) for count in most])
    kept = np.argsort(mode / lengths[axis], kind="stable")[:bits]
    return axis[kept], mode[kept]
