"""CMFH: both modalities are factored with one latent representation, to which each is also mapped (paper 4's "CMFH").

Ding, Guo and Zhou, "Collective matrix factorization hashing for multimodal data", CVPR 2014. Rows are items, centred;
with λ₁ = λ and λ₂ = 1 − λ,

    min over V, U, P    Σ λᵢ ‖Xᵢ − V Uᵢ‖² + μ Σ ‖V − Xᵢ Pᵢ‖² + γ (‖V‖² + Σ ‖Uᵢ‖² + Σ ‖Pᵢ‖²)

    Uᵢ = (VᵀV + γ/λᵢ I)⁻¹ Vᵀ Xᵢ
    V  = (Σ λᵢ Xᵢ Uᵢᵀ + μ Σ Xᵢ Pᵢ) (Σ λᵢ Uᵢ Uᵢᵀ + (2μ + γ) I)⁻¹
    Pᵢ = (XᵢᵀXᵢ + γ/μ I)⁻¹ Xᵢᵀ V

in turns, so the objective never rises; bits are Xᵢ Pᵢ > mean of V. The released code puts γ in place of γ/λᵢ and γ/μ,
with which the objective can rise. It ends when a sum of norms, not squared, falls by less than 0.01, whatever the
scale of the features; here a turn must lower the objective itself by a share of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.methods.crossmedia._views import affine_codes, centred, folded
from evenrank.parameters import Choice, Integer, Real

Side = tuple[float, np.ndarray, np.ndarray, np.ndarray]  # λ, X, U and P of a modality


@dataclass(eq=False, repr=False, kw_only=True)
class CMFH(CrossMediaMethod):
    """Linear codes of images and texts that lie near one latent representation of the item.

    `updates="released"` is the released code's, with one γ everywhere. There may be more bits than dimensions.
    """

    title = "CMFH"
    paper = "4; Ding, Guo and Zhou, CVPR 2014"
    cost = "one eigendecomposition a modality, then ridge regressions in turns"

    bits: Annotated[int, Integer(1, 4096)] = 16
    balance: Annotated[float, Real(0.01, 0.99, search=(0.1, 0.9))] = 0.5  # λ, the weight of images
    coupling: Annotated[float, Real(1e-6, search=(1, 1000), log=True)] = 100.0  # μ, of the maps to the latent
    regularisation: Annotated[float, Real(1e-9, search=(1e-4, 1), log=True)] = 0.01  # γ
    updates: Annotated[str, Choice("exact", "released")] = "exact"
    tolerance: Annotated[float, Real(0)] = 1e-4  # the share by which a turn must lower the objective
    iterations: Annotated[int, Integer(1, 10_000)] = 200
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Solve for U, V and P in turns; `objective_` holds the objective after each."""
        views = {modality: centred(features) for modality, features in x.items()}
        items = [view.values for view in views.values()]
        exact, shares = self.updates == "exact", (self.balance, 1 - self.balance)
        ridges = [_ridge(each, self.regularisation / (self.coupling if exact else 1)) for each in items]
        random = np.random.default_rng(self.seed)
        latent = random.random((len(items[0]), self.bits))  # V (items, bits)
        maps = [random.random((each.shape[1], self.bits)) for each in items]  # P (dimensions, bits)
        objective: list[float] = []
        while len(objective) < self.iterations and _falls(objective, self.tolerance):
            factors = [  # U (bits, dimensions)
                _solved(latent.T @ latent, self.regularisation / (share if exact else 1), latent.T @ each)
                for each, share in zip(items, shares, strict=True)
            ]
            latent = self._latent(zip(shares, items, factors, maps, strict=True))
            maps = [ridge(latent) for ridge in ridges]
            objective.append(self._objective(latent, zip(shares, items, factors, maps, strict=True)))
        self.objective_ = np.array(objective)
        self.weights_, offsets = folded(views, dict(zip(views, maps, strict=True)))
        self.offsets_ = {modality: offset - latent.mean(axis=0) for modality, offset in offsets.items()}

    def project(self, x: np.ndarray, modality: str) -> Codes:
        """Return bits (x − mean) P > mean of V."""
        return affine_codes(x, self.weights_[modality], self.offsets_[modality])

    def _latent(self, sides: Iterable[Side]) -> np.ndarray:
        """Return the best V for U and P."""
        gram, target = np.zeros(()), np.zeros(())
        for share, each, u, p in sides:
            gram = gram + share * u @ u.T
            target = target + share * u @ each.T + self.coupling * (each @ p).T
        return _solved(gram, 2 * self.coupling + self.regularisation, target).T

    def _objective(self, latent: np.ndarray, sides: Iterable[Side]) -> float:
        total = self.regularisation * _squares(latent)
        for share, each, u, p in sides:
            total += share * _squares(each - latent @ u) + self.coupling * _squares(latent - each @ p)
            total += self.regularisation * (_squares(u) + _squares(p))
        return total


def _ridge(x: np.ndarray, amount: float) -> Callable[[np.ndarray], np.ndarray]:
    """Return the map from V to (XᵀX + a I)⁻¹ Xᵀ V, which is Xᵀ (X Xᵀ + a I)⁻¹ V: the smaller is inverted, once."""
    wide = x.shape[0] < x.shape[1]
    values, vectors = np.linalg.eigh(x @ x.T if wide else x.T @ x)
    inverse = vectors / (np.maximum(values, 0) + amount) @ vectors.T  # Cholesky fails where rounding outweighs `amount`
    return lambda target: x.T @ (inverse @ target) if wide else inverse @ (x.T @ target)


def _solved(gram: np.ndarray, amount: float, target: np.ndarray) -> np.ndarray:
    """Return (gram + amount I)⁻¹ target."""
    return np.linalg.solve(gram + amount * np.eye(len(gram)), target)


def _squares(values: np.ndarray) -> float:
    return float(np.square(values).sum())


def _falls(objective: list[float], tolerance: float) -> bool:
    """Return whether the last turn lowered the objective by more than this share; the first two turns always do."""
    return len(objective) < 2 or objective[-2] - objective[-1] > tolerance * objective[-2]
