from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression

from evenrank.methods.crossmedia._kernel_logistic import centres, classifiers, kernel, squared_distances

RANDOM = np.random.default_rng(0)
ITEMS, ANCHORS = RANDOM.normal(size=(80, 3)), RANDOM.normal(size=(12, 3))
BITS = np.stack([ITEMS[:, 0] > 0, (np.square(ITEMS).sum(axis=1) > 3), np.ones(80, bool)], axis=1)


def test_a_kernel_falls_with_the_squared_distance() -> None:
    np.testing.assert_allclose(kernel(ITEMS, ANCHORS, 2.5), np.exp(-cdist(ITEMS, ANCHORS, "sqeuclidean") / 2.5))
    assert (squared_distances(ITEMS + 1e6, ITEMS + 1e6) >= 0).all()


@pytest.mark.parametrize("amount", [0.01, 1.0])
def test_weights_are_those_of_a_library_on_features_that_make_the_penalty_plain(amount: float) -> None:
    kernels, among = kernel(ITEMS, ANCHORS, 2.0), kernel(ANCHORS, ANCHORS, 2.0)
    found = classifiers(kernels, among, BITS, amount)
    lower = np.linalg.cholesky(among)  # w = L⁻ᵀ u has wᵀ K w = |u|²
    features = np.linalg.solve(lower, kernels.T).T
    for bit in range(2):
        library = LogisticRegression(C=1 / (2 * amount), fit_intercept=False, tol=1e-10, max_iter=10_000)
        expected = features @ library.fit(features, BITS[:, bit]).coef_[0]
        np.testing.assert_allclose(kernels @ found[:, bit], expected, atol=0.02, rtol=0.01)


def test_weights_are_where_the_slope_of_the_objective_is_zero() -> None:
    kernels, among = kernel(ITEMS, ANCHORS, 2.0), kernel(ANCHORS, ANCHORS, 2.0)
    weights = classifiers(kernels, among, BITS, 0.1)
    signs = np.where(BITS, 1, -1)
    slope = 0.2 * among @ weights - kernels.T @ (signs / (1 + np.exp(signs * (kernels @ weights))))
    assert np.abs(slope).max() < 1e-3


def test_a_constant_bit_is_always_given() -> None:
    kernels, among = kernel(ITEMS, ANCHORS, 2.0), kernel(ANCHORS, ANCHORS, 2.0)
    assert (kernels @ classifiers(kernels, among, BITS, 0.01)[:, 2] > 0).all()


@pytest.mark.filterwarnings("error")
def test_anchors_that_coincide_are_no_trouble() -> None:
    twice = np.repeat(ANCHORS, 2, axis=0)
    found = classifiers(kernel(ITEMS, twice, 2.0), kernel(twice, twice, 2.0), BITS, 0.01)
    once = classifiers(kernel(ITEMS, ANCHORS, 2.0), kernel(ANCHORS, ANCHORS, 2.0), BITS, 0.01)
    np.testing.assert_allclose(kernel(ITEMS, twice, 2.0) @ found, kernel(ITEMS, ANCHORS, 2.0) @ once, atol=0.02)


@pytest.mark.filterwarnings("error")
def test_each_centre_is_the_mean_of_the_items_it_is_nearest_to() -> None:
    found = centres(ITEMS, 5, np.random.default_rng(0))
    nearest = cdist(ITEMS, found).argmin(axis=1)
    np.testing.assert_allclose(found, [ITEMS[nearest == each].mean(axis=0) for each in range(5)], atol=1e-6)
    start = ITEMS[np.random.default_rng(0).permutation(80)[:5]]
    library = KMeans(5, init=start, n_init=1, tol=0).fit(ITEMS).cluster_centers_
    np.testing.assert_allclose(np.sort(found, axis=0), np.sort(library, axis=0), atol=1e-6)


@pytest.mark.filterwarnings("error")
def test_there_are_no_more_centres_than_distinct_items() -> None:
    found = centres(np.repeat(ITEMS[:7], 3, axis=0), 21, np.random.default_rng(0))
    np.testing.assert_allclose(np.sort(found, axis=0), np.sort(ITEMS[:7], axis=0))
