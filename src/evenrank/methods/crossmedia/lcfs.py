"""LCFS: regress both modalities onto the classes, with few features and results that span little (paper 4's "LCFS").

Wang, He, Wang, Wang and Tan, "Learning coupled feature spaces for cross-modal matching", ICCV 2013. For features X_v as
they come and labels Y (items, classes)

    min   Σ_v ½ |X_v U_v − Y|² + ½ l₁ Σ_v Σ_i |u_vi| + l₂ |M|_*,     M = [X_a U_a, X_b U_b]

where u_vi is row i of U_v and |M|_* the sum of singular values. Both norms, smoothed by ε, are bounded by squares that
touch them at the last U, and the squares are minimised:

    S = (M Mᵀ + ε I)^½,   U_v = (XᵀX + l₁ P_v + l₂ Xᵀ S⁻¹ X)⁻¹ XᵀY,   P_v = diag 1 / (2 (|u_vi|² + ε)^½)

from U = I and P = I. The paper's objective has l₁ in place of ½ l₁, but this is what its P minimises, and the released
code has that P. S is (items, items), yet only the left singular vectors of M are needed: off them, it is ε^½.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.cross_media_method import CrossMediaMethod
from evenrank.embeddings import Embeddings
from evenrank.methods.crossmedia._members import members
from evenrank.methods.crossmedia._views import Maps, linear_embeddings
from evenrank.parameters import Integer, Real

SMOOTHING = 1e-7  # ε


@dataclass(eq=False, repr=False, kw_only=True)
class LCFS(CrossMediaMethod):
    """Linear maps onto the training classes; an item of several classes has them all as its target.

    The dimension is the number of classes; a single class is refused.
    """

    title = "LCFS"
    paper = "4; Wang et al., ICCV 2013"
    supervision = "labels"
    cost = "a linear system of the features of each modality an iteration"

    sparsity: Annotated[float, Real(1e-9, search=(1e-3, 100), log=True)] = 0.1  # l₁
    coupling: Annotated[float, Real(0, search=(1e-5, 1), log=True)] = 0.001  # l₂
    iterations: Annotated[int, Integer(1, 10_000)] = 5

    def learn(self, x: dict[str, np.ndarray], y: np.ndarray) -> None:
        """Take turns between the bounds S, P and the maps U."""
        targets = members(self, y).astype(np.float64)  # Y (items, classes)
        views = {modality: features.astype(np.float64) for modality, features in x.items()}
        maps: Maps = {modality: np.eye(view.shape[1], targets.shape[1]) for modality, view in views.items()}  # U
        penalties = {modality: np.ones(view.shape[1]) for modality, view in views.items()}  # the diagonal of P
        for _ in range(self.iterations):
            joint = np.hstack([view @ maps[modality] for modality, view in views.items()])  # M (items, 2 classes)
            axes, spread, _ = np.linalg.svd(joint, full_matrices=False)
            for modality, view in views.items():
                system = view.T @ view + self.coupling * _bounded(view, axes, spread)
                system[np.diag_indices_from(system)] += self.sparsity * penalties[modality]
                maps[modality] = np.linalg.solve(system, view.T @ targets)
                penalties[modality] = 0.5 / np.sqrt(np.square(maps[modality]).sum(axis=1) + SMOOTHING)
        self.weights_ = maps

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return features · U."""
        weights = self.weights_[modality]
        return linear_embeddings(x, weights, np.zeros(weights.shape[1]))


def _bounded(x: np.ndarray, axes: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Return Xᵀ S⁻¹ X for M = axes · spread · …, (dimensions, dimensions)."""
    elsewhere = SMOOTHING**-0.5
    along = axes.T @ x  # (2 classes, dimensions)
    return elsewhere * x.T @ x + along.T @ ((1 / np.sqrt(spread**2 + SMOOTHING) - elsewhere)[:, None] * along)
