"""TS is the predicted class, one-hot."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

from evenrank.methods.crossmedia.trivial import Trivial
from tests.methods.crossmedia.two_modalities import average_precision, encoded, items


def test_it_is_the_prediction_of_a_librarys_classifiers_one_hot() -> None:
    data = items(200)
    found = encoded(Trivial().fit(data.x, data.labels), data)
    for modality, x in data.x.items():
        fits = [LogisticRegression(C=30, solver="liblinear").fit(x, data.labels == label) for label in range(4)]
        best = np.argmax([fit.decision_function(x) for fit in fits], axis=0)
        np.testing.assert_array_equal(found[modality], np.eye(4)[best])


def test_a_prediction_holds_where_probabilities_are_rounded_to_1() -> None:
    data = items(200)
    method = Trivial().fit(data.x, data.labels)
    far = 1e3 * np.random.default_rng(0).normal(size=(100, 9))
    scores = far @ method.weights_["image"] + method.biases_["image"]
    assert (np.sort(scores, axis=1)[:, -2] > 40).any()  # two classes, both certain
    np.testing.assert_array_equal(method.transform(far, "image").argmax(axis=1), scores.argmax(axis=1))


def test_there_are_exactly_two_tie_groups() -> None:
    data = items(200)
    found = encoded(Trivial().fit(data.x, data.labels), data)
    assert set(np.unique(found["image"] @ found["text"].T)) == {0, 1}


def test_items_find_those_of_their_class_in_the_other_modality() -> None:
    assert min(average_precision(Trivial()).values()) > 0.6
