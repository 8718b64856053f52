"""Pretrained features are reduced by principal components of the training items, or taken as they are."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import PCA

from evenrank.method import load
from evenrank.methods.embedding.pretrained_pca import PretrainedPCA
from tests.methods.embedding.learning import QUERIES, X

SHIFTED = X + 5  # so that it matters whether the mean is taken away


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("dimensions", [1, 8, 31])
def test_rows_are_normalised_components_of_the_training_items(dimensions: int) -> None:
    found = PretrainedPCA(dimensions=dimensions).fit(SHIFTED).transform(QUERIES)
    expected = unit(PCA(dimensions, svd_solver="full").fit(SHIFTED.astype(float)).transform(QUERIES))
    assert found.shape == (len(QUERIES), dimensions)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-5)


@pytest.mark.parametrize("dimensions", [None, 32, 128])
def test_features_that_are_not_reduced_are_taken_as_they_are(dimensions: int | None, tmp_path: Path) -> None:
    method = PretrainedPCA(dimensions=dimensions).fit(SHIFTED)
    np.testing.assert_allclose(method.transform(QUERIES), unit(QUERIES), atol=1e-6)
    method.save(tmp_path)
    np.testing.assert_array_equal(load(tmp_path).transform(QUERIES), method.transform(QUERIES))


def test_a_second_fit_forgets_the_first() -> None:
    method = PretrainedPCA(dimensions=4).fit(X)
    method.dimensions = None
    assert method.fit(X).transform(X).shape == X.shape


def test_there_is_one_dimension_for_each_axis_along_which_items_vary() -> None:
    plane = np.random.default_rng(0).standard_normal((100, 2)) @ np.random.default_rng(1).standard_normal((2, 9))
    with pytest.warns(UserWarning, match="PretrainedPCA: 5 dimensions asked for, 2 possible"):
        method = PretrainedPCA(dimensions=5).fit(plane)
    assert method.transform(plane).shape == (100, 2)


def test_an_item_without_direction_is_refused_by_its_number() -> None:
    items = X.copy()
    items[3] = 0
    with pytest.raises(ValueError, match="row 3 holds only zeros"):
        PretrainedPCA(dimensions=None).fit(items).encode(items)
