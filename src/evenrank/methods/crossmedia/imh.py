"""IMH: codes that are smooth on the neighbours in each modality, and equal where image and text are a pair.

Song, Yang, Yang, Huang and Shen, "Inter-media hashing for large-scale retrieval from heterogeneous data sources",
SIGMOD 2013; paper 4's baseline "IMH". Of n items with centred features X_v (n, d_v) some are known to be pairs: u_i = u
for those, else 0. Values F_v (n, bits) should be nearly linear in the features, close for neighbours, and agree:

    min   Σ_v tr F_vᵀ (A_v + l L_v) F_v + Σ_i u_i |f_1i − f_2i|²,     F_1ᵀ F_1 = I

    A_v = I − 1/n − X_v (X_vᵀX_v + b I)⁻¹ X_vᵀ
    E = (A_2 + l L_2 + diag u)⁻¹ diag u,     so that F_2 = E F_1 is best for F_1
    C = A_1 + l L_1 + diag(u) (I − E),       so that tr F_1ᵀ C F_1 is what is left to minimise

L is the Laplacian of the nearest neighbours. F_1 are the eigenvectors of C of smallest eigenvalue after the first,
which is constant, and W_v = (X_vᵀX_v + b I)⁻¹ X_vᵀ F_v are the linear maps. Released code differs in two places: it
writes E so that unpaired images are joined to pairs, and its A_v has no 1/n, so that the constant need not come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from scipy.linalg import eigh

from evenrank.codes import Codes
from evenrank.cross_media_method import MODALITIES, CrossMediaMethod
from evenrank.method import fewer_bits
from evenrank.methods.crossmedia._neighbours import neighbour_laplacian
from evenrank.methods.crossmedia._views import affine_codes, centred, folded
from evenrank.parameters import Choice, Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class IMH(CrossMediaMethod):
    """Each bit is the sign of a linear map that is smooth over neighbours of both modalities.

    It learns from a random `sample` of the items, of which a random share is `paired`, half as in paper 4; the rest it
    takes as images and texts without a partner. There are at most as many bits as items in the sample, less one.
    """

    title = "IMH"
    paper = "4; Song et al., SIGMOD 2013"
    cost = "cubic in the sample: seconds for 2,000 items"

    bits: Annotated[int, Integer(1, 4096)] = 16
    neighbours: Annotated[int, Integer(1, search=(3, 50), log=True)] = 10
    smoothness: Annotated[float, Real(0, search=(1e-3, 100), log=True)] = 1.0  # l
    penalty: Annotated[float, Real(1e-9, search=(1e-3, 1000), log=True)] = 1.0  # b
    agreement: Annotated[float, Real(1e-3, search=(1, 1e6), log=True)] = 1e4  # u
    paired: Annotated[float, Real(0.01, 1, search=(0.1, 1))] = 0.5
    threshold: Annotated[str, Choice("mean", "median")] = "mean"  # of a bit, over the sample
    sample: Annotated[int, Integer(2)] = 2000
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Find F_1 and F_2, then the linear maps."""
        random = np.random.default_rng(self.seed)
        rows = np.sort(random.permutation(len(x["image"]))[: self.sample])
        views = {modality: centred(features[rows]) for modality, features in x.items()}
        bonds = np.zeros((len(rows), len(rows)))  # diag u
        known = random.permutation(len(rows))[: max(1, round(self.paired * len(rows)))]
        bonds[known, known] = self.agreement
        regressions = {modality: self._regression(view.values) for modality, view in views.items()}
        image, text = (self._roughness(views[modality].values, regressions[modality]) for modality in MODALITIES)
        apart = np.linalg.solve(text + bonds, text)  # I − E
        bits = fewer_bits(self, self.bits, len(rows) - 1)
        values = eigh(image + bonds @ apart, subset_by_index=(1, bits))[1]  # F_1 (items, bits)
        targets = {"image": values, "text": values - apart @ values}
        bases = {modality: regressions[modality] @ targets[modality] for modality in MODALITIES}  # W
        self.weights_, self.offsets_ = folded(views, bases)
        if self.threshold == "median":
            for modality, view in views.items():
                self.offsets_[modality] -= np.median(view.values @ bases[modality], axis=0)

    def project(self, x: np.ndarray, modality: str) -> Codes:
        """Return bits x · weights + offsets > 0."""
        return affine_codes(x, self.weights_[modality], self.offsets_[modality])

    def _regression(self, x: np.ndarray) -> np.ndarray:
        """Return (XᵀX + b I)⁻¹ Xᵀ (dimensions, items)."""
        axes, spread, features = np.linalg.svd(x, full_matrices=False)
        return (features.T * (spread / (spread**2 + self.penalty))) @ axes.T

    def _roughness(self, x: np.ndarray, regression: np.ndarray) -> np.ndarray:
        """Return A + l L (items, items): what values cost that are not linear in the features, or not smooth."""
        nonlinear = np.eye(len(x)) - 1 / len(x) - x @ regression
        return nonlinear + self.smoothness * neighbour_laplacian(x, self.neighbours)
