"""Generalised multiview analysis: what each modality wants by itself, and agreement of the two, in one eigenproblem.

Sharma, Kumar, Daumé and Jacobs, "Generalized multiview analysis: a discriminative latent space", CVPR 2012. For
standardised images X and texts Y of the same items, each with a gain P and a cost Q of its own, (w, v) are the
generalised eigenvectors of largest eigenvalue of

    ⎡ P_x    g XᵀY ⎤ ⎡w⎤       ⎡ Q_x + r I            ⎤ ⎡w⎤
    ⎣ g YᵀX  P_y   ⎦ ⎣v⎦  =  λ ⎣           s Q_y + r I ⎦ ⎣v⎦,     s = tr Q_x / tr Q_y

With more features than items, w and v lie in the span of the items, where the same problem is much smaller. An item of
several classes counts once for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.linalg import LinAlgError, block_diag, eigh

from evenrank.cross_media_method import MODALITIES, CrossMediaMethod
from evenrank.embeddings import Embeddings
from evenrank.method import fewer_bits
from evenrank.methods.crossmedia._members import members
from evenrank.methods.crossmedia._views import folded, linear_embeddings, standardised
from evenrank.parameters import Integer, Real

ROUNDING = 1e-12  # of the largest eigenvalue: directions that gain less, gain nothing


@dataclass(eq=False, repr=False, kw_only=True)
class Multiview(CrossMediaMethod):
    """The problem and its keywords; a method says what is gain and what is cost in one modality."""

    supervision = "labels"

    dimensions: Annotated[int, Integer(1, 4096)] = 10
    agreement: Annotated[float, Real(1e-6, search=(0.1, 1000), log=True)] = 10.0  # g
    regularisation: Annotated[float, Real(1e-12, search=(1e-6, 1e4), log=True)] = 1e-6  # r

    def gain_and_cost(self, x: np.ndarray, belongs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return P and Q (dimensions, dimensions) of one modality; `belongs` (items, classes) are the classes."""
        raise NotImplementedError

    def learn(self, x: dict[str, np.ndarray], y: np.ndarray) -> None:
        """Solve the eigenproblem in the span of the items."""
        belongs = members(self, y)
        views = {modality: standardised(features) for modality, features in x.items()}
        spans = {modality: np.linalg.qr(view.values.T)[0] for modality, view in views.items()}  # (d, min(d, items))
        image, text = (views[modality].values @ spans[modality] for modality in MODALITIES)
        gains, directions = self._solved(image, text, belongs)
        found = fewer_bits(self, self.dimensions, int((gains > ROUNDING * gains[0]).sum()), "dimensions")
        parts = np.split(directions[:, :found], [image.shape[1]])
        bases = {modality: spans[modality] @ part for modality, part in zip(spans, parts, strict=True)}
        self.weights_, self.offsets_ = folded(views, bases)

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return features · weights + offsets."""
        return linear_embeddings(x, self.weights_[modality], self.offsets_[modality])

    def _solved(self, image: np.ndarray, text: np.ndarray, belongs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the largest eigenvalues, at most `dimensions`, in falling order, and (w, v) of each as a column."""
        (image_gain, image_cost), (text_gain, text_cost) = (self.gain_and_cost(v, belongs) for v in (image, text))
        shared = self.agreement * (image * belongs.sum(axis=1, keepdims=True)).T @ text  # g XᵀY (d, e)
        gain = np.block([[image_gain, shared], [shared.T, text_gain]])
        balance = np.trace(image_cost) / (np.trace(text_cost) or 1.0)
        cost = block_diag(image_cost, balance * text_cost) + self.regularisation * np.eye(len(gain))
        last = len(gain) - 1
        try:
            gains, directions = eigh(gain, cost, subset_by_index=(max(0, last + 1 - self.dimensions), last))
        except LinAlgError:
            raise ValueError(
                f"regularisation of {self._name} must be larger for these features, whose costs are singular; "
                f"got {self.regularisation}"
            ) from None
        return gains[::-1], directions[:, ::-1]
