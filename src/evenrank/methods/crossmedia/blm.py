"""BLM: directions that explain both modalities and, more so, what they have in common (the bilinear model of paper 4).

Tenenbaum and Freeman, "Separating style and content with bilinear models", Neural Computation 2000, in the form of
Sharma et al., "Generalized multiview analysis", CVPR 2012: the widest eigenvectors, image part above text part, of

    ⎡   XᵀX   g XᵀY ⎤
    ⎣ g YᵀX     YᵀY ⎦        of standardised X and Y

They lie in the span of the items, where the problem is solved: it is no larger than twice the number of items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.cross_media_method import CrossMediaMethod
from evenrank.embeddings import Embeddings
from evenrank.method import fewer_bits
from evenrank.methods.crossmedia._views import folded, linear_embeddings, standardised
from evenrank.methods.crossmedia._whitening import NARROW, span
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class BLM(CrossMediaMethod):
    """Linear maps of images and texts along their widest common directions.

    There are at most as many dimensions as eigenvalues above 0; it warns if that is fewer than asked for.
    """

    title = "BLM"
    paper = "4; Sharma et al., CVPR 2012"
    cost = "three eigendecompositions, the largest of both modalities' dimensions together"

    dimensions: Annotated[int, Integer(1, 4096)] = 10
    agreement: Annotated[float, Real(0, search=(0.1, 1000), log=True)] = 10.0  # g

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Take the widest eigenvectors, and split them into the maps of images and of texts."""
        views = {modality: standardised(features) for modality, features in x.items()}
        image, text = (span(views[modality].values)[0] for modality in ("image", "text"))  # (d, rank), (e, rank)
        both = np.concatenate([views["image"].values @ image, views["text"].values @ text], axis=1)
        of_image = np.arange(both.shape[1]) < image.shape[1]
        weights = np.where(of_image == of_image[:, None], 1.0, self.agreement)
        spread, axes = np.linalg.eigh(weights * (both.T @ both))  # ascending
        kept = fewer_bits(self, self.dimensions, int((spread > NARROW * spread[-1]).sum()), "dimensions")
        axes = axes[:, ::-1][:, :kept]
        bases = {"image": image @ axes[of_image], "text": text @ axes[~of_image]}
        self.weights_, self.offsets_ = folded(views, bases)

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return features · weights + offsets."""
        return linear_embeddings(x, self.weights_[modality], self.offsets_[modality])
