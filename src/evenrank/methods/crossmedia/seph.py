"""SePHkm: codes of the items whose distances follow their labels, then a classifier for each bit (paper 4's "SEPHkm").

Lin, Ding, Hu and Wang, "Semantics-preserving hashing for cross-view retrieval", CVPR 2015. P, the cosine of the items'
label vectors, and Q, the nearness of real-valued codes Y (items, bits), are made distributions over pairs i ≠ j:

    min over Y    KL(P ‖ Q) + a ‖ |Y| − 1 ‖²,     q ∝ n = (1 + ‖yᵢ − yⱼ‖² / 4)⁻¹,     a = α / (bits · items)

    slope = (diag(L 1) − L) Y + 2 a (|Y| − 1) sgn Y,     L = (P − Q) ∘ n

by gradient descent as of t-SNE, keeping the best Y. Then sgn Y is learned from either modality by kernel logistic
regression on centres of k-means, hence "km", with σ² the mean squared distance of items; bits are k(x) · w > 0.

The code of paper 4 took P from the labels of other items, so that its results but on class-sorted data are chance. The
authors join both modalities of a database item into one code; here each has its own, as in paper 4. Their cost mixes Q
before a step with Y after it; here both are of the same Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.codes import Codes
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.methods.crossmedia._kernel_logistic import centres, classifiers, kernel, squared_distances
from evenrank.methods.crossmedia._members import members
from evenrank.methods.crossmedia._views import centred
from evenrank.parameters import Integer, Real

START = 1e-4  # the deviation of the first Y
EXAGGERATED, EXAGGERATION = 100, 4.0  # in so many iterations P counts so many times: classes come together early
CALM, MOMENTA = 250, (0.5, 0.8)  # the momentum before this iteration, and from it on
BLOCK = 4096  # items encoded at a time


@dataclass(eq=False, repr=False, kw_only=True)
class SePH(CrossMediaMethod):
    """Kernel classifiers of images and texts for the bits of codes that follow the labels.

    Of more than `sample` items that many are drawn: memory and time grow with its square. Where k-means leaves a centre
    without items, there is one less. A single class is refused, and so are items of which no two share a label.
    """

    title = "SePHkm"
    paper = "4; Lin et al., CVPR 2015"
    supervision = "labels"
    cost = "all pairs of items an iteration; ten seconds on 1,000 items"

    bits: Annotated[int, Integer(1, 4096)] = 16
    quantisation: Annotated[float, Real(0, search=(1e-3, 1), log=True)] = 0.01  # α
    learning_rate: Annotated[float, Real(1e-6, search=(10, 1000), log=True)] = 100.0
    iterations: Annotated[int, Integer(1, 100_000)] = 1000
    anchors: Annotated[int, Integer(1, 65_536, search=(100, 1000), log=True)] = 500  # centres of k-means
    regularisation: Annotated[float, Real(1e-9, search=(1e-4, 1), log=True)] = 0.01  # of the regression
    sample: Annotated[int, Integer(2)] = 5000
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: dict[str, np.ndarray], y: np.ndarray) -> None:
        """Find Y, then for each modality centres and classifiers; `objective_` is that of Y."""
        random = np.random.default_rng(self.seed)
        rows = np.sort(random.permutation(len(y))[: self.sample])
        bits = self._codes(_affinities(members(self, y)[rows]), random) > 0  # sgn Y (items, bits)
        self.mean_, self.anchors_, self.widths_, self.weights_ = {}, {}, {}, {}
        for modality, features in x.items():
            items, self.mean_[modality], _ = centred(features[rows])
            width = float(2 * np.square(items).sum() / len(items)) or 1.0  # σ²; 0 where all items are alike
            anchors = centres(items, self.anchors, random)
            kernels, among = kernel(items, anchors, width), kernel(anchors, anchors, width)
            self.anchors_[modality], self.widths_[modality] = anchors, width
            self.weights_[modality] = classifiers(kernels, among, bits, self.regularisation)

    def project(self, x: np.ndarray, modality: str) -> Codes:
        """Return bits k(x) · w > 0."""
        blocks = (x[first : first + BLOCK] - self.mean_[modality] for first in range(0, len(x), BLOCK))
        kernels = (kernel(block, self.anchors_[modality], self.widths_[modality]) for block in blocks)
        return Codes.from_bits(np.concatenate([each @ self.weights_[modality] > 0 for each in kernels]))

    def _codes(self, affinities: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Return Y by gradient descent with momentum and a gain for each value; pairs are held in float32."""
        affinities = affinities.astype(np.float32)
        codes = START * random.standard_normal((len(affinities), self.bits), dtype=np.float32)
        best, least = codes, np.inf
        step, gains = np.zeros_like(codes), np.ones_like(codes)
        for turn in range(self.iterations):
            exaggeration = EXAGGERATION if turn < EXAGGERATED else 1.0
            cost, slope = _cross_entropy(codes, affinities, self.quantisation / codes.size, exaggeration)
            if cost < least:
                best, least = codes, cost
            gains = np.maximum(np.where(np.sign(slope) == np.sign(step), gains * 0.8, gains + 0.2), 0.01)
            step = MOMENTA[turn >= CALM] * step - self.learning_rate * gains * slope
            codes = codes + step - (codes + step).mean(axis=0)
        present = affinities[affinities > 0]
        self.objective_ = least + float(present @ np.log(present))
        return best


def _affinities(labels: np.ndarray) -> np.ndarray:
    """Return P (items, items) of labels (items, classes): cosines, of pairs of different items, that sum to 1."""
    counts = labels.sum(axis=1)
    cosines = (labels.astype(float) @ labels.T) / np.sqrt(np.maximum(np.outer(counts, counts), 1))
    np.fill_diagonal(cosines, 0)
    if not cosines.any():
        raise ValueError(f"labels of SePH must be shared by some items; each of {len(labels)} has its own")
    return cosines / cosines.sum()


def _cross_entropy(
    codes: np.ndarray, affinities: np.ndarray, weight: float, exaggeration: float = 1.0
) -> tuple[float, np.ndarray]:
    """Return Σ p log(1/q) + weight ‖ |Y| − 1 ‖², which is KL(P ‖ Q) and the entropy of P, and its slope in Y.

    Only the slope takes P to be exaggerated.
    """
    far = 1 + squared_distances(codes, codes) / 4
    near = 1 / far
    np.fill_diagonal(near, 0)
    total, outside = near.sum(), np.abs(codes) - 1
    cost = np.vdot(affinities, np.log(far)) + np.log(total) + weight * np.square(outside).sum()
    pull = (exaggeration * affinities - near / total) * near  # L
    slope = pull.sum(axis=1)[:, None] * codes - pull @ codes + 2 * weight * outside * np.sign(codes)
    return float(cost), slope
