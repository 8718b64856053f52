"""GMLDA: both modalities as linear discriminant analysis wants them, and in agreement (paper 4's baseline "GMLDA").

Sharma et al., CVPR 2012; the problem is in `_multiview.py`. With classes c of n_c items, mean μ_c (all items: 0),

    P = Σ_c n_c μ_c μ_cᵀ                           between classes, a gain
    Q = Σ_c Σ_{i ∈ c} (x_i − μ_c)(x_i − μ_c)ᵀ      within classes, a cost

The code released with paper 4 never passes the classes on and takes five nearest neighbours in their place, so that its
published results are those of chance. This is the discriminant analysis that was meant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenrank.methods.crossmedia._multiview import Multiview


@dataclass(eq=False, repr=False, kw_only=True)
class GMLDA(Multiview):
    """Linear maps in which classes are apart and paired images and texts agree; a single class is refused."""

    title = "GMLDA"
    paper = "4; Sharma et al., CVPR 2012"
    supervision = "labels"
    cost = "one eigendecomposition of the features of both modalities"

    def gain_and_cost(self, x: np.ndarray, belongs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the scatter between classes and that within them."""
        between, within = np.zeros((2, x.shape[1], x.shape[1]))
        for member in belongs.T:
            mean = x[member].mean(axis=0)
            between += member.sum() * np.outer(mean, mean)
            within += (x[member] - mean).T @ (x[member] - mean)
        return between, within
