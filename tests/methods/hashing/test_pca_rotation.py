from __future__ import annotations

import numpy as np

from evenrank.methods.hashing.pca_rotation import PCARotation
from tests.methods.hashing.digits import average_precision, digits


def test_weights_are_an_orthonormal_basis_of_the_principal_plane() -> None:
    items = digits().database
    weights = PCARotation(bits=12, seed=3).fit(items).weights_
    axes = np.linalg.svd(items - items.mean(axis=0))[2][:12]
    np.testing.assert_allclose(weights.T @ weights, np.eye(12), atol=1e-9)
    np.testing.assert_allclose(weights @ weights.T, axes.T @ axes, atol=1e-9)


def test_seeds_rotate_differently_and_evenly() -> None:
    """Over many rotations no direction is preferred: the mean of R vanishes, and that of its squares is 1 / size."""
    items = digits().database[:100]
    axes = PCARotation(bits=4).fit(items).weights_
    rotations = np.array([axes.T @ PCARotation(bits=4, seed=seed).fit(items).weights_ for seed in range(1, 200)])
    assert np.abs(rotations.mean(axis=0)).max() < 0.2
    np.testing.assert_allclose(np.square(rotations).mean(axis=0), 0.25, atol=0.08)


def test_it_beats_lsh_and_the_same_axes_without_rotation() -> None:
    found = average_precision("pca_rotation", bits=32)
    assert found > average_precision("lsh", bits=32) + 0.02
    assert found > average_precision("pca_hashing", bits=32) + 0.1
