"""CCA: directions along which images and texts are most correlated (paper 4's baseline "CM", correlation matching).

Rasiwasia et al., "A new approach to cross-modal multimedia retrieval", ACM Multimedia 2010. With covariances C of
standardised features,

    C_xy (C_yy + r I)⁻¹ C_yx w_x = λ² (C_xx + r I) w_x,    w_y = (C_yy + r I)⁻¹ C_yx w_x / λ

The paper has r = 0. Where dimensions outnumber items that correlates everything perfectly, whatever the items show, and
retrieval is at chance; the inverse is then a pseudo-inverse. The default shrinks by a tenth of a feature's variance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.cross_media_method import CrossMediaMethod
from evenrank.embeddings import Embeddings
from evenrank.method import fewer_bits
from evenrank.methods.crossmedia._views import folded, linear_embeddings, standardised
from evenrank.methods.crossmedia._whitening import paired, whitened
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class CCA(CrossMediaMethod):
    """Linear maps of images and texts whose outputs correlate most.

    `regularisation` is in units of a feature's variance; 0 is the paper's. There are at most as many dimensions as
    directions in which both modalities vary; it warns if that is fewer than asked for.
    """

    title = "CM"
    paper = "4; Rasiwasia et al., ACM Multimedia 2010"
    cost = "three decompositions, of the smaller of items and dimensions"

    dimensions: Annotated[int, Integer(1, 4096)] = 10
    regularisation: Annotated[float, Real(0, search=(1e-3, 10), log=True)] = 0.1

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Whiten both modalities, and take the strongest pairs of directions of their correlation."""
        views = {modality: standardised(features) for modality, features in x.items()}
        image, text = (whitened(views[modality].values, self.regularisation) for modality in ("image", "text"))
        left, right = paired(image.values.T @ text.values)
        kept = fewer_bits(self, self.dimensions, left.shape[1], "dimensions")
        bases = {"image": image.basis @ left[:, :kept], "text": text.basis @ right[:, :kept]}
        self.weights_, self.offsets_ = folded(views, bases)

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return features · weights + offsets."""
        return linear_embeddings(x, self.weights_[modality], self.offsets_[modality])
