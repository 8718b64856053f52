"""SM is one penalised logistic regression a class, whose probabilities are brought to sum 1."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from evenrank.methods.crossmedia.semantic_matching import SemanticMatching
from tests.methods.crossmedia.two_modalities import average_precision, encoded, items


def literal(x: np.ndarray, member: np.ndarray, penalty: float) -> np.ndarray:
    """Return w and b, one after the other, that minimise Σ log(1 + exp(−y (w · x + b))) + penalty / 2 · (|w|² + b²)."""
    rows, signs = np.pad(x, ((0, 0), (0, 1)), constant_values=1.0), np.where(member, 1.0, -1.0)

    def cost(w: np.ndarray) -> tuple[float, np.ndarray]:
        margins = signs * (rows @ w)
        slopes = -signs / (1 + np.exp(margins))
        return np.logaddexp(0, -margins).sum() + penalty / 2 * w @ w, rows.T @ slopes + penalty * w

    return minimize(cost, np.zeros(rows.shape[1]), jac=True, options={"gtol": 1e-6, "maxiter": 10_000}).x


@pytest.mark.parametrize("penalty", [1 / 30, 2.0])
def test_it_is_the_minimum_of_the_printed_cost_with_probabilities_of_sum_1(penalty: float) -> None:
    data = items(120)
    found = encoded(SemanticMatching(penalty=penalty).fit(data.x, data.labels), data)
    for modality, x in data.x.items():
        columns = [literal(x, data.labels == label, penalty) for label in range(4)]
        chances = 1 / (1 + np.exp(-np.stack([x @ w[:-1] + w[-1] for w in columns], axis=1)))
        np.testing.assert_allclose(found[modality], chances / chances.sum(axis=1, keepdims=True), atol=1e-3)


def test_an_item_that_is_of_no_class_at_all_still_has_probabilities() -> None:
    data = items(120)
    method = SemanticMatching().fit(data.x, data.labels)
    far = 1e5 * np.random.default_rng(0).normal(size=(200, 9))
    scores = far @ method.weights_["image"] + method.biases_["image"]
    assert (scores < -800).all(axis=1).any()  # so far below that e to the score is 0
    np.testing.assert_allclose(method.transform(far, "image").sum(axis=1), 1)


def test_an_item_of_several_labels_is_learned_from_once_for_each_and_absent_classes_are_left_out() -> None:
    data = items(120)
    several = np.zeros((120, 6), dtype=bool)  # the last two classes have no items
    several[np.arange(120), data.labels] = True
    several[:30, 1] = True
    several[7] = False
    rows, labels = np.nonzero(several)
    together = SemanticMatching().fit(data.x, several)
    apart = SemanticMatching().fit({modality: x[rows] for modality, x in data.x.items()}, labels)
    assert together.encode(data.text, "text").dimensions == 4
    for modality, expected in encoded(apart, data).items():
        np.testing.assert_array_equal(encoded(together, data)[modality], expected)


def test_one_class_is_refused() -> None:
    data = items(20)
    with pytest.raises(ValueError, match=r"^labels of SemanticMatching must be of at least two classes; got 1$"):
        SemanticMatching().fit(data.x, np.full(20, 3))


def test_items_find_those_of_their_class_in_the_other_modality() -> None:
    assert min(average_precision(SemanticMatching()).values()) > 0.7
