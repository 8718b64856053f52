"""CCA3V: canonical correlation of three views, image, text and label.

Gong et al., "A multi-view embedding space for modeling Internet images, tags, and their semantics", IJCV 2014. With
C the covariance of the three views side by side, + r I, and D its blocks on the diagonal,

    C w = λ D w,    outputs λ^p w_imageᵀ x  and  λ^p w_textᵀ y

for the largest λ. In whitened views (`_whitening`) D is I, and C is I but for the correlations between views.

Paper 4's code leaves out the power (p = 0; the original has p = 4), and takes the mean away in the covariances but not
when it projects, which `centre=False` repeats. Features are used as they come, so r is in their squared units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.cross_media_method import CrossMediaMethod
from evenrank.embeddings import Embeddings
from evenrank.method import fewer_bits
from evenrank.methods.crossmedia._views import centred, folded, linear_embeddings
from evenrank.methods.crossmedia._whitening import NARROW, whitened
from evenrank.parameters import Choice, Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class CCA3V(CrossMediaMethod):
    """Linear maps of images and texts that correlate with each other and with the labels.

    There are at most as many dimensions as directions in which views correlate; it warns if that is fewer than asked
    for. Where all items have the same labels, it is the CCA of two views.
    """

    title = "CCA3V"
    paper = "4; Gong et al., IJCV 2014"
    supervision = "labels"
    cost = "four eigendecompositions, the largest of all three views' dimensions together"

    dimensions: Annotated[int, Integer(1, 4096)] = 10
    regularisation: Annotated[float, Real(0, search=(1e-6, 1), log=True)] = 1e-4
    power: Annotated[float, Real(0, 16, search=(0, 8))] = 0.0
    centre: Annotated[bool, Choice(True, False)] = True

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Find the eigenvectors of the whitened views' correlations; `eigenvalues_` are λ."""
        labels = np.eye(y.max() + 1)[y] if y.ndim == 1 else y
        views = {modality: centred(features) for modality, features in x.items()}
        white = [whitened(view.values, self.regularisation) for view in (*views.values(), centred(labels))]
        owner = np.repeat(range(3), [part.values.shape[1] for part in white])  # the view of each whitened dimension
        joined = np.concatenate([part.values for part in white], axis=1)
        between = np.where(owner == owner[:, None], np.eye(len(owner)), joined.T @ joined / len(joined))
        eigenvalues, axes = np.linalg.eigh(between)  # ascending
        correlated = eigenvalues - 1 >= NARROW * (eigenvalues[-1] - 1)
        kept = fewer_bits(self, self.dimensions, int(correlated.sum()), "dimensions")
        self.eigenvalues_ = eigenvalues[::-1][:kept]
        axes = axes[:, ::-1][:, :kept] * self.eigenvalues_**self.power
        bases = {modality: white[view].basis @ axes[owner == view] for view, modality in enumerate(views)}
        self.weights_, self.offsets_ = folded(views, bases)
        if not self.centre:
            self.offsets_ = {modality: np.zeros(kept) for modality in views}

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return features · weights + offsets."""
        return linear_embeddings(x, self.weights_[modality], self.offsets_[modality])
