from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

from evenrank.methods.crossmedia.cca import CCA
from tests.methods.crossmedia.two_modalities import (
    Items,
    assert_same_up_to_signs,
    average_precision,
    encoded,
    items,
    scaled,
)


def literal(data: Items, regularisation: float, dimensions: int) -> dict[str, np.ndarray]:
    """Return both projections by the equation of the file's docstring, solved in all dimensions."""
    x, y = scaled(data.image), scaled(data.text)
    n = len(x)
    xx, yy, xy = (
        x.T @ x / n + regularisation * np.eye(x.shape[1]),
        y.T @ y / n + regularisation * np.eye(y.shape[1]),
        x.T @ y / n,
    )
    squares, w = eigh(xy @ np.linalg.solve(yy, xy.T), xx)
    squares, w = squares[::-1][:dimensions], w[:, ::-1][:, :dimensions]
    return {"image": x @ w, "text": y @ np.linalg.solve(yy, xy.T @ w) / np.sqrt(squares)}


@pytest.mark.parametrize("regularisation", [0.0, 0.1, 2.0])
def test_projections_are_those_of_the_generalised_eigenproblem(regularisation: float) -> None:
    data = items()
    method = CCA(dimensions=4, regularisation=regularisation).fit(data.x)
    assert_same_up_to_signs(encoded(method, data), literal(data, regularisation, 4))


def test_more_dimensions_than_items_give_the_same_as_the_eigenproblem() -> None:
    data = items(count=20, image=50, text=30)
    method = CCA(dimensions=5).fit(data.x)
    assert_same_up_to_signs(encoded(method, data), literal(data, 0.1, 5))


def test_outputs_have_the_canonical_correlations_that_qr_gives() -> None:
    data = items()
    found = encoded(CCA(dimensions=6, regularisation=0.0).fit(data.x), data)
    bases = [np.linalg.qr(features - features.mean(axis=0))[0] for features in data.x.values()]
    expected = np.linalg.svd(bases[0].T @ bases[1])[1]
    correlations = np.corrcoef(found["image"], found["text"], rowvar=False)
    np.testing.assert_allclose(correlations[:6, 6:], np.diag(expected), atol=1e-9)
    np.testing.assert_allclose(correlations[:6, :6], np.eye(6), atol=1e-9)


def test_without_regularisation_few_items_are_correlated_perfectly_whatever_they_show() -> None:
    data = items(count=20, image=50, text=30)
    other = data._replace(text=np.random.default_rng(1).normal(size=data.text.shape))
    for each in (data, other):
        found = encoded(CCA(dimensions=10, regularisation=0.0).fit(each.x), each)
        np.testing.assert_allclose(found["image"], found["text"], atol=1e-9)


def test_dependent_features_without_regularisation_are_as_if_they_were_not_there() -> None:
    data = items()
    repeated = data._replace(text=np.c_[data.text, data.text[:, 0] - 2 * data.text[:, 1], np.full(200, 0.1)])
    plain, found = (CCA(dimensions=6, regularisation=0.0).fit(each.x) for each in (data, repeated))
    assert_same_up_to_signs(encoded(found, repeated), encoded(plain, data))


def test_there_are_no_more_dimensions_than_the_smaller_modality_has() -> None:
    data = items()
    with pytest.warns(UserWarning, match="^CCA: 10 dimensions asked for, 6 possible$"):
        method = CCA().fit(data.x)
    assert method.transform(data.image, "image").shape == (200, 6)


def test_modalities_that_have_nothing_in_common_still_give_numbers() -> None:
    x = np.array([[1.0], [-1], [1], [-1]])
    method = CCA(dimensions=1).fit({"image": x, "text": np.sort(x, axis=0)})
    assert np.isfinite(method.transform(x, "text")).all()


def test_it_finds_items_of_the_same_class() -> None:
    assert min(average_precision(CCA(dimensions=4)).values()) > 0.6
