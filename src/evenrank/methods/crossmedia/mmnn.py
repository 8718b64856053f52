"""MM-NN: a layer for each modality, trained on pairs of similar and of dissimilar items (paper 4's "MM-NN").

Masci, Bronstein, Bronstein and Schmidhuber, "Multimodal similarity-preserving hashing", IEEE TPAMI 2014. Features are
centred and of length 1, u = tanh(x W + c) is the output of an image, v of a text. For random pairs of items, s = 1 if
they have a label in common and else 0,

    ½ Σ s d² + (1 − s) max(0, margin − d)²     over the distances d = ‖u₁ − v₂‖, and at half weight ‖u₁ − u₂‖, ‖v₁ − v₂‖

is lowered by a few iterations of L-BFGS, then other pairs are drawn. Bits are outputs > 0. Outputs of b bits are at
most 2 √b apart, so that with 6 bits or fewer the margin of 5 cannot be reached. Released code goes on from the last
point that L-BFGS tried; here it is the best one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.arrays import row_blocks
from evenrank.codes import Codes
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.methods.crossmedia._members import members
from evenrank.parameters import Integer, Real

SHARE = 0.45  # of the items on either side of the pairs of a batch, unless it is given


@dataclass(eq=False, repr=False, kw_only=True)
class MMNN(CrossMediaMethod):
    """Signs of a layer of images and of one of texts, close for items that share a label and apart for others.

    There may be more bits than dimensions. A single class is refused: no pair would keep outputs apart.
    """

    title = "MM-NN"
    paper = "4; Masci et al., TPAMI 2014"
    supervision = "labels"
    cost = "2,500 iterations of L-BFGS; seconds on 1,000 items of 100 features"

    bits: Annotated[int, Integer(1, 4096)] = 16
    margin: Annotated[float, Real(1e-3, search=(1, 10))] = 5.0
    within: Annotated[float, Real(0, search=(0, 2))] = 0.5  # the weight of pairs of one modality
    epochs: Annotated[int, Integer(1, search=(5, 100), log=True)] = 50
    batches: Annotated[int, Integer(1)] = 10  # an epoch
    batch: Annotated[int | None, Integer(1)] = None  # pairs; None: 45 % of the items on either side
    iterations: Annotated[int, Integer(1, 1000)] = 5  # of L-BFGS, a batch
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: dict[str, np.ndarray], y: np.ndarray) -> None:
        """Lower the loss of one batch of pairs after another; `losses_` holds the loss of a pair in each epoch."""
        from scipy.optimize import minimize

        random, labels = np.random.default_rng(self.seed), members(self, y)
        self.mean_ = {modality: features.mean(axis=0, dtype=np.float64) for modality, features in x.items()}
        image, text = (self._inputs(features, modality) for modality, features in x.items())
        layers = np.concatenate([self._start(each.shape[1] - 1, random) for each in (image, text)])
        pairs = min(self.batch or max(1, round(SHARE * len(y))), len(y))
        self.losses_ = np.zeros(self.epochs)
        for epoch in np.repeat(np.arange(self.epochs), self.batches):
            sides = np.stack([random.permutation(len(y))[:pairs] for _ in range(2)])  # (2, pairs)
            similar = (labels[sides[0]] & labels[sides[1]]).any(axis=1)
            batch = (image[sides], text[sides], similar, self.margin, self.within)
            found = minimize(_loss, layers.ravel(), batch, "L-BFGS-B", True, options={"maxiter": self.iterations})
            layers = found.x.reshape(layers.shape)
            self.losses_[epoch] += found.fun / pairs / self.batches
        self.layers_ = dict(zip(x, np.split(layers, [image.shape[1]]), strict=True))

    def project(self, x: np.ndarray, modality: str) -> Codes:
        """Return bits x W + c > 0 of centred x of length 1."""
        inputs = (self._inputs(block, modality) for _, block in row_blocks(x))
        return Codes.from_bits(np.concatenate([each @ self.layers_[modality] > 0 for each in inputs]))

    def _inputs(self, x: np.ndarray, modality: str) -> np.ndarray:
        """Return centred features of length 1, or all 0, and a last one that is 1: its weights are c."""
        items = x - self.mean_[modality]
        length = np.linalg.norm(items, axis=1, keepdims=True)
        return np.hstack([items / np.where(length > 0, length, 1), np.ones((len(x), 1))])

    def _start(self, dimensions: int, random: np.random.Generator) -> np.ndarray:
        """Return a random W over c = 0, (dimensions + 1, bits)."""
        weights = random.standard_normal((dimensions, self.bits)) / np.sqrt(dimensions + 1)
        return np.vstack([weights, np.zeros(self.bits)])


def _loss(
    layers: np.ndarray, image: np.ndarray, text: np.ndarray, similar: np.ndarray, margin: float, within: float
) -> tuple[float, np.ndarray]:
    """Return the loss of pairs and its slope, flat as the layers; inputs are (2, pairs, dimensions + 1)."""
    parts = np.split(layers.reshape(image.shape[2] + text.shape[2], -1), [image.shape[2]])
    u, v = np.tanh(image @ parts[0]), np.tanh(text @ parts[1])  # (2, pairs, bits)
    (across, along), (images, along_images), (texts, along_texts) = (
        _contrast(first, second, similar, margin) for first, second in ((u[0], v[1]), (u[0], u[1]), (v[0], v[1]))
    )
    along_u = np.stack([along + within * along_images, -within * along_images]) * (1 - u**2)
    along_v = np.stack([within * along_texts, -along - within * along_texts]) * (1 - v**2)
    slopes = [np.tensordot(image, along_u, axes=((0, 1), (0, 1))), np.tensordot(text, along_v, axes=((0, 1), (0, 1)))]
    return across + within * (images + texts), np.concatenate(slopes).ravel()


def _contrast(first: np.ndarray, second: np.ndarray, similar: np.ndarray, margin: float) -> tuple[float, np.ndarray]:
    """Return ½ Σ s d² + (1 − s) max(0, margin − d)², and its slope in `first`; in `second` it is the opposite."""
    apart = first - second
    distance = np.linalg.norm(apart, axis=1)
    missing = np.maximum(margin - distance, 0)
    pull = np.where(similar, 1, -missing / np.where(distance > 0, distance, 1))
    return float(np.square(np.where(similar, distance, missing)).sum() / 2), apart * pull[:, None]
