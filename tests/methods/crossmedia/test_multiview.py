"""What GMLDA and GMMFA share: the eigenproblem."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eig

from evenrank.methods.crossmedia._multiview import Multiview
from evenrank.methods.crossmedia.gmlda import GMLDA
from evenrank.methods.crossmedia.gmmfa import GMMFA
from tests.methods.crossmedia.hard_items import HARD, assert_same_directions, outputs
from tests.methods.crossmedia.two_modalities import average_precision, items, scaled

each = pytest.mark.parametrize("method", [GMLDA, GMMFA])


def literal(method: Multiview, x: dict[str, np.ndarray], y: np.ndarray) -> dict[str, np.ndarray]:
    """Return the weights of the problem as it is written, for all features, by a solver for matrices of any kind."""
    image, text = scaled(x["image"]), scaled(x["text"])
    belongs = y[:, None] == np.unique(y)
    (p_x, q_x), (p_y, q_y) = (method.gain_and_cost(each, belongs) for each in (image, text))
    d, e = len(p_x), len(p_y)
    left, right = np.zeros((2, d + e, d + e))
    left[:d, :d], left[d:, d:] = p_x, p_y
    left[:d, d:] = method.agreement * image.T @ text
    left[d:, :d] = left[:d, d:].T
    right[:d, :d], right[d:, d:] = q_x, q_y * np.trace(q_x) / np.trace(q_y)
    values, vectors = eig(left, right + method.regularisation * np.eye(d + e))
    vectors = vectors[:, np.argsort(-values.real)[: method.dimensions]].real
    return {
        "image": vectors[:d] / x["image"].std(axis=0)[:, None],
        "text": vectors[d:] / x["text"].std(axis=0)[:, None],
    }


@each
def test_weights_solve_the_problem_as_it_is_written(method: type[Multiview]) -> None:
    data = items(120)
    x, y = data.x, data.labels
    fitted = method(dimensions=5, agreement=2.0).fit(x, y)
    assert_same_directions(fitted.weights_, literal(fitted, x, y))


@each
def test_with_more_features_than_items_the_problem_is_the_same(method: type[Multiview]) -> None:
    x, y = HARD["more features than items"].x, HARD["more features than items"].labels
    fitted = method(dimensions=4, regularisation=0.5).fit(x, y)
    assert_same_directions(fitted.weights_, literal(fitted, x, y))


@each
def test_embeddings_of_the_training_items_are_centred(method: type[Multiview]) -> None:
    data = items(120)
    x, y = data.x, data.labels
    fitted = method(dimensions=3).fit(x, y)
    for modality, features in x.items():
        np.testing.assert_allclose(fitted.transform(features, modality).mean(axis=0), 0, atol=1e-9)


@each
def test_a_matrix_of_one_label_an_item_is_the_same_as_class_numbers(method: type[Multiview]) -> None:
    data = items(120)
    x, y = data.x, data.labels
    matrix = y[:, None] == np.arange(6)  # two classes that no item has
    found = method(dimensions=3).fit(x, matrix).weights_
    assert_same_directions(found, method(dimensions=3).fit(x, y).weights_)


@each
def test_more_dimensions_than_directions_that_gain_warn(method: type[Multiview]) -> None:
    data = items(120, image=4, text=3)
    x, y = data.x, data.labels
    with pytest.warns(UserWarning, match=rf"^{method.__name__}: 50 dimensions asked for, [1-7] possible$"):
        fitted = method(dimensions=50).fit(x, y)
    assert fitted.transform(x["text"], "text").shape[1] <= 7


@each
def test_a_single_class_is_refused(method: type[Multiview]) -> None:
    with pytest.raises(ValueError, match=rf"^labels of {method.__name__} must be of at least two classes; got 1$"):
        method().fit(items(120).x, np.zeros(120, int))


class Indefinite(GMLDA):
    def gain_and_cost(self, x: np.ndarray, belongs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return costs that are below 0 by more than the regularisation, as rounding leaves those of large features."""
        return super().gain_and_cost(x, belongs)[0], np.diag(np.append(np.ones(x.shape[1] - 1), -1e-3))


def test_a_regularisation_that_leaves_costs_singular_is_refused_in_one_line() -> None:
    data = items(120)
    with pytest.raises(ValueError, match=r"^regularisation of Indefinite must be larger [^\n]*; got 1e-06$"):
        Indefinite().fit(data.x, data.labels)
    assert Indefinite(dimensions=3, regularisation=0.01).fit(data.x, data.labels)


@each
@pytest.mark.parametrize("case", HARD)
def test_hard_items_are_learned_without_a_warning(method: type[Multiview], case: str) -> None:
    found = outputs(method(), HARD[case])
    assert found["image"].shape == found["text"].shape


@each
def test_images_find_texts_of_their_class(method: type[Multiview]) -> None:
    assert min(average_precision(method(dimensions=4)).values()) > 0.6
