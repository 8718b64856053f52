"""SCMorth: bits along orthogonal directions whose products follow the similarity of labels, all found at once.

Zhang and Li, "Large-scale supervised multimodal hashing with semantic correlation maximization", AAAI 2014. With the
similarity S of labels (`_label_similarity`) and C = XᵀSY of standardised X and Y, the b strongest pairs of

    C C_yy⁻¹ Cᵀ w_x = λ² C_xx w_x,    w_y = C_yy⁻¹ Cᵀ w_x / λ

Of centred features C has rank classes − 1, and so there are no more pairs. The released code gives more bits along
directions of λ = 0, which nothing but rounding picks, in images and in texts apart: they are noise, and worsen the
ranking. `padding="random"` has such bits, drawn by `seed`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.method import fewer_bits
from evenrank.methods.crossmedia._label_similarity import label_similarity
from evenrank.methods.crossmedia._views import affine_codes, folded, standardised
from evenrank.methods.crossmedia._whitening import paired, whitened
from evenrank.parameters import Choice, Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class SCMOrth(CrossMediaMethod):
    """Codes whose bits are signs along orthogonal directions that the labels correlate.

    There are at most as many bits as such directions, classes − 1 as a rule; it warns if that is fewer than asked for.
    `regularisation` is in units of a feature's variance.
    """

    title = "SCMorth"
    paper = "4; Zhang and Li, AAAI 2014"
    supervision = "labels"
    cost = "three decompositions, of the smaller of items and dimensions"

    bits: Annotated[int, Integer(1, 4096)] = 16
    regularisation: Annotated[float, Real(0, search=(1e-6, 10), log=True)] = 1e-6
    padding: Annotated[str, Choice("none", "random")] = "none"
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Whiten both modalities, and take the strongest pairs of directions of C."""
        views = {modality: standardised(features, ddof=1) for modality, features in x.items()}
        image, text = (whitened(views[modality].values, self.regularisation) for modality in ("image", "text"))
        left, right = paired(label_similarity(self, image.values, text.values, y))
        if self.padding == "random":
            random = np.random.default_rng(self.seed)
            left, right = _padded(left, random), _padded(right, random)
        kept = fewer_bits(self, self.bits, min(left.shape[1], right.shape[1]))
        bases = {"image": image.basis @ left[:, :kept], "text": text.basis @ right[:, :kept]}
        self.weights_, self.offsets_ = folded(views, bases)

    def project(self, x: np.ndarray, modality: str) -> Codes:
        """Return bits features · weights + offsets > 0."""
        return affine_codes(x, self.weights_[modality], self.offsets_[modality])


def _padded(directions: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return orthonormal directions (rank, pairs) and random ones orthogonal to them, (rank, rank)."""
    rank, pairs = directions.shape
    started = np.concatenate([directions, random.standard_normal((rank, rank - pairs))], axis=1)
    return np.concatenate([directions, np.linalg.qr(started)[0][:, pairs:]], axis=1)
