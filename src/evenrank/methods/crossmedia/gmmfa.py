"""GMMFA: near neighbours of a class together, near strangers apart, in both modalities (paper 4's baseline "GMMFA").

Sharma et al., CVPR 2012, with the graphs of marginal Fisher analysis (Yan et al., PAMI 2007); the problem is in
`_multiview.py`, with

    P = Σ (x_i − x_j)(x_i − x_j)ᵀ    over the closest pairs of the whole set that share no class, a gain
    Q = Σ (x_i − x_j)(x_i − x_j)ᵀ    over each item and its nearest of the same class, a cost

As in the released code, `pairs` is for the whole set, where marginal Fisher analysis has as many for each class. That
code's 20 counts every pair twice, which is 10 here. Beside the agreement of the modalities so few hardly matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.methods.crossmedia._multiview import Multiview
from evenrank.methods.crossmedia._neighbours import neighbour_laplacian
from evenrank.parameters import Integer

BLOCK = 256  # items whose distances to all others are held at a time


@dataclass(eq=False, repr=False, kw_only=True)
class GMMFA(Multiview):
    """Linear maps in which the margin between classes is wide and paired images and texts agree.

    A single class is refused.
    """

    title = "GMMFA"
    paper = "4; Sharma et al., CVPR 2012"
    supervision = "labels"
    cost = "all distances once, and one eigendecomposition of the features of both modalities"

    neighbours: Annotated[int, Integer(1, search=(1, 50), log=True)] = 5
    pairs: Annotated[int, Integer(1, search=(10, 10_000), log=True)] = 10

    def gain_and_cost(self, x: np.ndarray, belongs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the scatter of near strangers and that of near neighbours within classes."""
        first, second = _closest_strangers(x, belongs, self.pairs)
        apart = x[first] - x[second]  # (pairs, dimensions)
        together = np.zeros((x.shape[1], x.shape[1]))
        for member in belongs.T:
            together += x[member].T @ (neighbour_laplacian(x[member], self.neighbours) @ x[member])
        return apart.T @ apart, together


def _closest_strangers(x: np.ndarray, belongs: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows (first, second) of at most `count` pairs, the closest of those that share no class."""
    squares, classes = np.square(x).sum(axis=1), belongs.astype(np.float64)
    distances, places = [], []
    for start in range(0, len(x), BLOCK):
        rows = slice(start, start + BLOCK)
        block = squares[rows, None] + squares - 2 * x[rows] @ x.T
        block[classes[rows] @ classes.T > 0] = np.inf
        block[np.arange(len(x)) <= np.arange(start, start + len(block))[:, None]] = np.inf  # every pair once
        nearest = np.argpartition(block, min(count, block.size) - 1, axis=None)[:count]
        distances.append(block.flat[nearest])
        places.append(start * len(x) + nearest)
    near, where = np.concatenate(distances), np.concatenate(places)
    order = np.lexsort((where, near))[: min(count, np.isfinite(near).sum())]
    return np.divmod(where[order], len(x))
