from __future__ import annotations

import numpy as np
import pytest
from sklearn.cross_decomposition import PLSRegression

from evenrank.methods.crossmedia.pls import PLS
from tests.methods.crossmedia.two_modalities import (
    assert_same_up_to_signs,
    average_precision,
    encoded,
    items,
    scaled,
)


@pytest.mark.parametrize("shape", [(200, 9, 6), (20, 50, 30)])
def test_directions_are_rotations_and_loadings_of_partial_least_squares_regression(shape: tuple[int, ...]) -> None:
    data = items(*shape)
    x, y = scaled(data.image), scaled(data.text)
    oracle = PLSRegression(n_components=4, scale=False, max_iter=10_000, tol=1e-14).fit(x, y)
    lengths = np.linalg.norm(oracle.x_rotations_, axis=0)  # ours have length 1; t qᵀ is the same
    expected = {"image": x @ (oracle.x_rotations_ / lengths), "text": y @ (oracle.y_loadings_ * lengths)}
    assert_same_up_to_signs(encoded(PLS(dimensions=4).fit(data.x), data), expected, atol=1e-5)


def test_outputs_of_images_are_uncorrelated() -> None:
    data = items()
    outputs = encoded(PLS(dimensions=6).fit(data.x), data)["image"]
    np.testing.assert_allclose(np.corrcoef(outputs, rowvar=False), np.eye(6), atol=1e-9)


def test_the_first_pair_has_the_largest_covariance_there_is() -> None:
    data = items()
    x, y = scaled(data.image), scaled(data.text)
    found = encoded(PLS(dimensions=1).fit(data.x), data)
    direction = np.linalg.lstsq(y, found["text"][:, 0], rcond=None)[0]
    covariance = found["image"][:, 0] @ (y @ direction / np.linalg.norm(direction))
    assert covariance == pytest.approx(np.linalg.svd(x.T @ y)[1][0])


def test_there_are_no_more_dimensions_than_the_modalities_have_in_common() -> None:
    data = items()
    with pytest.warns(UserWarning, match="^PLS: 10 dimensions asked for, 6 possible$"):
        method = PLS().fit(data.x)
    assert method.transform(data.text, "text").shape == (200, 6)


def test_it_finds_items_of_the_same_class() -> None:
    assert min(average_precision(PLS(dimensions=4)).values()) > 0.6
