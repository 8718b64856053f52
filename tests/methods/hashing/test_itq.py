from __future__ import annotations

import numpy as np
from scipy.linalg import orthogonal_procrustes

from evenrank.methods.hashing._projections import random_rotation
from evenrank.methods.hashing.itq import ITQ
from tests.methods.hashing.digits import average_precision, digits


def test_the_quantisation_error_never_rises() -> None:
    errors = ITQ(bits=24, iterations=60).fit(digits().database).errors_
    assert (np.diff(errors) <= 1e-9 * errors[0]).all()
    assert errors[-1] < 0.99 * errors[0]


def test_turns_are_those_of_a_library_for_procrustes() -> None:
    items = digits().database
    centred = items - items.mean(axis=0)
    fitted = ITQ(bits=10, iterations=7, seed=5).fit(items)
    axes = np.linalg.svd(centred)[2][:10].T
    axes *= np.sign((axes * fitted_axes(items)).sum(axis=0))  # an axis has no direction of its own
    spread, rotation = centred @ axes, random_rotation(10, np.random.default_rng(5))
    for _ in range(7):
        corners = np.where(spread @ rotation > 0, 1, -1)
        rotation = orthogonal_procrustes(spread, corners)[0]
    np.testing.assert_allclose(fitted.weights_, axes @ rotation, atol=1e-6)
    error = np.square(np.where(spread @ rotation > 0, 1, -1) - spread @ rotation).sum() / len(items)
    assert error <= fitted.errors_[-1] + 1e-9


def fitted_axes(items: np.ndarray) -> np.ndarray:
    from evenrank.methods.hashing.pca_hashing import PCAHashing

    return PCAHashing(bits=10).fit(items).weights_


def test_no_small_rotation_of_the_result_is_better() -> None:
    items = digits().database
    method = ITQ(bits=8, iterations=200).fit(items)
    spread = (items - method.mean_) @ method.weights_
    corners = np.where(spread > 0, 1, -1)
    best = np.square(corners - spread).sum()
    random = np.random.default_rng(0)
    for _ in range(20):
        nearby = np.linalg.qr(np.eye(8) + 0.01 * random.standard_normal((8, 8)))[0]
        nearby *= np.sign(np.diag(nearby))
        assert np.square(corners - spread @ nearby).sum() > best


def test_it_beats_lsh_and_a_random_rotation() -> None:
    found = average_precision("itq", bits=32)
    assert found > average_precision("lsh", bits=32) + 0.1
    assert found > average_precision("pca_rotation", bits=32) + 0.05
