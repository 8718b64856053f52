"""SCMseq: bits whose products follow the similarity of labels, each taking up what those before it have left.

Zhang and Li, "Large-scale supervised multimodal hashing with semantic correlation maximization", AAAI 2014. With the
similarity S of labels (`_label_similarity`) and b bits, C = b XᵀSY of standardised X and Y. Each bit is the strongest
pair of

    C C_yy⁻¹ Cᵀ w_x = λ² C_xx w_x,    w_y = C_yy⁻¹ Cᵀ w_x / λ,    C ← C − (Xᵀ sgn X w_x)(Yᵀ sgn Y w_y)ᵀ

When λ rises, a bit has taken up nothing: the bits that are left are the strongest directions of `cca`, as in the
released code. In whitened features (`_whitening`) the pairs are singular vectors, and C is taken up there.
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
from evenrank.methods.crossmedia._whitening import paired, strongest, whitened
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class SCMSeq(CrossMediaMethod):
    """Codes whose bits are learned from labels one after another; there can be more of them than dimensions.

    `strengths_` are λ, one a bit that was learned from labels. Should directions of `cca` not suffice for the bits that
    are left, there are fewer bits than asked for, and it warns. `regularisation` is in units of a feature's variance.
    """

    title = "SCMseq"
    paper = "4; Zhang and Li, AAAI 2014"
    supervision = "labels"
    cost = "one eigendecomposition a bit, of the texts' dimensions"

    bits: Annotated[int, Integer(1, 4096)] = 16
    regularisation: Annotated[float, Real(0, search=(1e-6, 10), log=True)] = 1e-6

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Take one pair of directions after another; those that labels do not give come from CCA."""
        views = {modality: standardised(features, ddof=1) for modality, features in x.items()}
        image, text = (whitened(views[modality].values, self.regularisation) for modality in ("image", "text"))
        left, right = self._sequence(image.values, text.values, y)
        more_left, more_right = paired(image.values.T @ text.values)
        left, right = np.concatenate([left, more_left], axis=1), np.concatenate([right, more_right], axis=1)
        kept = fewer_bits(self, self.bits, left.shape[1])
        bases = {"image": image.basis @ left[:, :kept], "text": text.basis @ right[:, :kept]}
        self.weights_, self.offsets_ = folded(views, bases)

    def _sequence(self, image: np.ndarray, text: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the directions of images (rank, pairs) and of texts (rank, pairs) that labels give."""
        rest = self.bits * label_similarity(self, image, text, y)  # C (rank, rank)
        left, right = image[:0].T, text[:0].T
        self.strengths_: list[float] = []
        for _ in range(self.bits):
            strength, u, v = strongest(rest)
            if strength == 0 or strength > min(self.strengths_, default=np.inf):
                break
            self.strengths_.append(strength)
            left, right = np.column_stack([left, u]), np.column_stack([right, v])
            rest -= np.outer(image.T @ _signs(image @ u), text.T @ _signs(text @ v))
        return left, right

    def project(self, x: np.ndarray, modality: str) -> Codes:
        """Return bits features · weights + offsets > 0."""
        return affine_codes(x, self.weights_[modality], self.offsets_[modality])


def _signs(values: np.ndarray) -> np.ndarray:
    """Return 1 where a value is above 0 and −1 elsewhere: np.sign would give 0 a third value."""
    return np.where(values > 0, 1.0, -1.0)
