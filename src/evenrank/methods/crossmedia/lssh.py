"""LSSH: images by sparse coding, texts by matrix factorisation, tied by a map between the two (paper 4's "LSSH").

Zhou, Ding and Guo, "Latent semantic sparse hashing for cross-modal similarity search", SIGIR 2014. Rows are items: X
images, their 64 principal components, T texts, both centred and of length 1; the atoms, rows of A, B and R, have
length 1 at most.

    min over S, Y, A, B, R    ‖X − S B‖² + ρ |S|₁ + μ ‖T − Y A‖² + λ ‖Y − S R‖²

    Y = (λ/μ S R + T Aᵀ) (A Aᵀ + λ/μ I)⁻¹
    A                                        least squares of T on Y, atom by atom, each cut to length 1
    S                                        the lasso of [X, √λ Y] on [B, √λ R]
    B, R                                     least squares of X and of Y on S, as A

An image's code is sgn(s R) of its lasso on B alone, a text's sgn(t Aᵀ (A Aᵀ + λ/μ I)⁻¹); neither depends on an item's
length. As in the released code ρ is relative, ρ · max |⟨x, atom⟩| of each item, so the objective mostly falls but need
not; that code solves for the atoms by a Lagrange dual and ends the lasso after 30 gradient steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.methods.crossmedia._lasso import sparse_codes
from evenrank.methods.crossmedia._views import affine_codes, centred, folded
from evenrank.methods.hashing._projections import principal_axes
from evenrank.parameters import Integer, Real

PASSES = 3  # over the atoms, in each turn: it starts from the atoms of the turn before
BLOCK = 4096  # images encoded at a time


@dataclass(eq=False, repr=False, kw_only=True)
class LSSH(CrossMediaMethod):
    """Sparse codes of images and latent factors of texts, both read by sign.

    Of more than `sample` items that many are drawn. There may be more bits than dimensions.
    """

    title = "LSSH"
    paper = "4; Zhou, Ding and Guo, SIGIR 2014"
    cost = "a lasso an item and iteration; seconds on 1,000 items"

    bits: Annotated[int, Integer(1, 4096)] = 16
    components: Annotated[int, Integer(1, 4096)] = 64  # of images
    atoms: Annotated[int, Integer(1, 65_536, search=(64, 1024), log=True)] = 512
    sparsity: Annotated[float, Real(1e-3, 1, search=(0.05, 0.6))] = 0.2  # ρ
    text_weight: Annotated[float, Real(1e-6, search=(0.05, 5), log=True)] = 0.5  # μ
    coupling: Annotated[float, Real(1e-6, search=(0.1, 10), log=True)] = 1.0  # λ
    iterations: Annotated[int, Integer(1, 10_000, search=(5, 50))] = 20
    sample: Annotated[int, Integer(2)] = 10_000
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Solve for Y, A, S, B and R in turns; `objective_` holds the objective after each."""
        random = np.random.default_rng(self.seed)
        rows = np.sort(random.permutation(len(x["image"]))[: self.sample])
        views = {modality: centred(features[rows]) for modality, features in x.items()}
        axes = principal_axes(x["image"][rows], views["image"].mean, self.components)
        image = _unit(views["image"].values @ axes)  # X (items, components)
        text = _unit(views["text"].values)  # T (items, dimensions)
        a = _unit(random.standard_normal((self.bits, text.shape[1])))
        b = _unit(random.standard_normal((self.atoms, image.shape[1])))
        r = _unit(random.standard_normal((self.atoms, self.bits)))
        root, pull = np.sqrt(self.coupling), self.coupling / self.text_weight * np.eye(self.bits)
        sparse = sparse_codes(image, b, self.sparsity)  # S (items, atoms)
        self.objective_ = np.empty(self.iterations)
        for turn in range(self.iterations):
            latent = (sparse @ r @ pull + text @ a.T) @ np.linalg.inv(a @ a.T + pull)  # Y (items, bits)
            a = _atoms(a, latent, text)
            both, dictionary = np.hstack([image, root * latent]), np.hstack([b, root * r])
            sparse = sparse_codes(both, dictionary, self.sparsity)
            weights = 2 * self.sparsity * np.abs(both @ dictionary.T).max(axis=1)  # the lasso halves the squares
            b, r = _atoms(b, sparse, image), _atoms(r, sparse, latent)
            self.objective_[turn] = (
                np.square(image - sparse @ b).sum()
                + weights @ np.abs(sparse).sum(axis=1)
                + self.text_weight * np.square(text - latent @ a).sum()
                + self.coupling * np.square(latent - sparse @ r).sum()
            )
        bases = {"image": axes, "text": a.T @ np.linalg.inv(a @ a.T + pull)}
        self.weights_, self.offsets_ = folded(views, bases)
        self.atoms_, self.map_ = b, r

    def project(self, x: np.ndarray, modality: str) -> Codes:
        """Return the signs of s R for images, of a linear map for texts."""
        weights, offsets = self.weights_[modality], self.offsets_[modality]
        if modality == "text":
            return affine_codes(x, weights, offsets)
        blocks = (x[first : first + BLOCK] for first in range(0, len(x), BLOCK))
        sparse = (sparse_codes(block @ weights + offsets, self.atoms_, self.sparsity) for block in blocks)
        return Codes.from_bits(np.concatenate([each @ self.map_ > 0 for each in sparse]))


def _unit(x: np.ndarray) -> np.ndarray:
    """Return rows of length 1; a row of zeros stays so."""
    length = np.linalg.norm(x, axis=1, keepdims=True)
    return x / np.where(length > 0, length, 1)


def _atoms(atoms: np.ndarray, codes: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return atoms D (atoms, dimensions), of length 1 at most, of smaller ‖target − codes D‖²: each its best in turn.

    For one atom the squares are a sphere around its free minimum, so the nearest point of the ball is best. An atom
    that no item uses stays as it is.
    """
    found, gram, products = atoms.copy(), codes.T @ codes, codes.T @ target
    for atom in np.tile(np.flatnonzero(gram.diagonal()), PASSES):
        free = found[atom] + (products[atom] - gram[atom] @ found) / gram[atom, atom]
        found[atom] = free / max(1.0, float(np.linalg.norm(free)))
    return found
