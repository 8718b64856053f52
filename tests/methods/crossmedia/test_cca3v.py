from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import block_diag, eigh

from evenrank.methods.crossmedia.cca3v import CCA3V
from tests.methods.crossmedia.two_modalities import (
    Items,
    assert_same_up_to_signs,
    average_precision,
    encoded,
    items,
)


def literal(data: Items, labels: np.ndarray, regularisation: float, dimensions: int) -> tuple[np.ndarray, ...]:
    """Return λ, w_image and w_text by the equation of the file's docstring, solved in all dimensions."""
    views = [data.image, data.text, labels]
    own = [np.cov(v, rowvar=False, ddof=0) + regularisation * np.eye(v.shape[1]) for v in views]
    whole = np.cov(np.concatenate(views, axis=1), rowvar=False, ddof=0) + regularisation * np.eye(sum(map(len, own)))
    found, w = eigh(whole, block_diag(*own))
    w = w[:, ::-1][:, :dimensions]
    parts = np.split(w, [len(own[0]), len(own[0]) + len(own[1])])
    return found[::-1][:dimensions], parts[0], parts[1]


@pytest.mark.parametrize("shape", [(200, 9, 6), (20, 50, 30)])
@pytest.mark.parametrize("power", [0.0, 4.0])
def test_projections_are_those_of_the_generalised_eigenproblem(shape: tuple[int, int, int], power: float) -> None:
    data = items(*shape)
    method = CCA3V(dimensions=5, regularisation=0.3, power=power).fit(data.x, data.labels)
    found, image, text = literal(data, np.eye(4)[data.labels], 0.3, 5)
    np.testing.assert_allclose(method.eigenvalues_, found)
    expected = {
        "image": (data.image - data.image.mean(axis=0)) @ image * found**power,
        "text": (data.text - data.text.mean(axis=0)) @ text * found**power,
    }
    assert_same_up_to_signs(encoded(method, data), expected, rtol=1e-6)


def test_without_centring_the_mean_stays_in_the_projections() -> None:
    data = items()
    method = CCA3V(dimensions=3, centre=False).fit(data.x, data.labels)
    _, image, text = literal(data, np.eye(4)[data.labels], 1e-4, 3)
    assert_same_up_to_signs(encoded(method, data), {"image": data.image @ image, "text": data.text @ text})


def test_an_item_may_have_several_labels() -> None:
    data = items()
    labels = np.random.default_rng(0).random((200, 5)) < 0.4
    method = CCA3V(dimensions=3).fit(data.x, labels)
    found, image, _ = literal(data, labels.astype(float), 1e-4, 3)
    np.testing.assert_allclose(method.eigenvalues_, found)
    np.testing.assert_allclose(np.abs(method.weights_["image"]), np.abs(image), atol=1e-7)


def test_a_single_class_leaves_the_correlation_of_two_views() -> None:
    data = items()
    method = CCA3V(dimensions=6, regularisation=0.0).fit(data.x, np.zeros(200, int))
    bases = [np.linalg.qr(features - features.mean(axis=0))[0] for features in data.x.values()]
    np.testing.assert_allclose(method.eigenvalues_, 1 + np.linalg.svd(bases[0].T @ bases[1])[1])


def test_there_are_no_more_dimensions_than_directions_that_correlate() -> None:
    data = items()
    with pytest.warns(UserWarning, match=r"^CCA3V: 100 dimensions asked for, \d+ possible$"):
        method = CCA3V(dimensions=100).fit(data.x, data.labels)
    found = literal(data, np.eye(4)[data.labels], 1e-4, 100)[0]
    assert len(method.eigenvalues_) == (found > 1 + 1e-6).sum()


def test_regularisation_may_be_far_above_the_variance_of_features() -> None:
    data = items()
    x = {modality: 1e-6 * features for modality, features in data.x.items()}
    method = CCA3V(dimensions=3).fit(x, data.labels)
    found = encoded(method, Items(**x, labels=data.labels))
    assert all(np.linalg.matrix_rank(values / np.abs(values).max()) == 3 for values in found.values())


def test_labels_help_it_to_find_items_of_the_same_class() -> None:
    data = average_precision(CCA3V(dimensions=4, power=4.0))
    blind = average_precision(CCA3V(dimensions=4, power=4.0, regularisation=1e6))
    assert min(data.values()) > 0.7
    assert data["image"] > blind["image"]
