"""PLS: directions along which both modalities vary together most, one after another (paper 4's baseline "PLS").

Sharma and Jacobs, "Bypassing synthesis: PLS for face recognition with pose, low-resolution and sketch", CVPR 2011.
With A = XᵀY, M = XᵀX and C = I of standardised X and Y, each step takes the leading right singular vector q of A:

    w = C A q / |C A q|,   c = wᵀ M w,   p = M w / c,   q = Aᵀ w / c
    A ← A − c p qᵀ,   M ← M − c p pᵀ,   C ← C − w pᵀ

Images are projected by the w, texts by the q.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.cross_media_method import CrossMediaMethod
from evenrank.embeddings import Embeddings
from evenrank.method import fewer_bits
from evenrank.methods.crossmedia._views import folded, linear_embeddings, standardised
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class PLS(CrossMediaMethod):
    """Linear maps of images and texts by partial least squares."""

    title = "PLS"
    paper = "4; Sharma and Jacobs, CVPR 2011"
    cost = "one singular value decomposition a dimension"

    dimensions: Annotated[int, Integer(1, 4096)] = 10

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Take one pair of directions after another out of the covariances."""
        views = {modality: standardised(features) for modality, features in x.items()}
        image, text = views["image"].values, views["text"].values
        both, own, mixing = image.T @ text, image.T @ image, np.eye(image.shape[1])  # A (d, e), M (d, d), C (d, d)
        image_basis, text_basis = [], []
        for _ in range(fewer_bits(self, self.dimensions, int(np.linalg.matrix_rank(both)), "dimensions")):
            w = mixing @ both @ np.linalg.svd(both)[2][0]
            w /= np.linalg.norm(w)
            c = w @ own @ w
            p, q = own @ w / c, both.T @ w / c
            image_basis.append(w)
            text_basis.append(q)
            both = both - c * np.outer(p, q)
            own = own - c * np.outer(p, p)
            mixing = mixing - np.outer(w, p)
        bases = {"image": np.stack(image_basis, axis=1), "text": np.stack(text_basis, axis=1)}
        self.weights_, self.offsets_ = folded(views, bases)

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return features · weights + offsets."""
        return linear_embeddings(x, self.weights_[modality], self.offsets_[modality])
