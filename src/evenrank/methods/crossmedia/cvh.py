"""CVH: bits are the signs of the directions along which images and texts are most correlated.

Kumar and Udupa, "Learning hash functions for cross-view similarity search", IJCAI 2011. Where every item is known only
to be like itself, as in paper 4, their relaxed eigenproblem is that of `cca`; a bit is 1 iff its output is above 0.

Where dimensions outnumber items, all correlations are 1 but for what r takes off, 1e-6 in the released code. Even so
little puts wide directions first, as long as it is not lost in rounding; paper 4's figures for CVH are chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.method import fewer_bits
from evenrank.methods.crossmedia._views import affine_codes, folded, standardised
from evenrank.methods.crossmedia._whitening import paired, whitened
from evenrank.parameters import Integer, Real


@dataclass(eq=False, repr=False, kw_only=True)
class CVH(CrossMediaMethod):
    """Codes whose bits are signs of correlated directions.

    There are at most as many bits as directions in which both modalities vary; it warns if that is fewer than asked
    for. `regularisation` is in units of a feature's variance.
    """

    title = "CVH"
    paper = "4; Kumar and Udupa, IJCAI 2011"
    cost = "three decompositions, of the smaller of items and dimensions"

    bits: Annotated[int, Integer(1, 4096)] = 16
    regularisation: Annotated[float, Real(0, search=(1e-6, 10), log=True)] = 1e-6

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Whiten both modalities, and take the strongest pairs of directions of their correlation."""
        views = {modality: standardised(features, ddof=1) for modality, features in x.items()}
        image, text = (whitened(views[modality].values, self.regularisation) for modality in ("image", "text"))
        left, right = paired(image.values.T @ text.values)
        kept = fewer_bits(self, self.bits, left.shape[1])
        bases = {"image": image.basis @ left[:, :kept], "text": text.basis @ right[:, :kept]}
        self.weights_, self.offsets_ = folded(views, bases)

    def project(self, x: np.ndarray, modality: str) -> Codes:
        """Return bits features · weights + offsets > 0."""
        return affine_codes(x, self.weights_[modality], self.offsets_[modality])
