from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from evenrank.methods.hashing.trivial import Trivial
from tests.methods.hashing.digits import average_precision, digits


def test_codes_are_the_predictions_of_a_classifier_one_hot() -> None:
    data = digits()
    classifier = make_pipeline(StandardScaler(), LogisticRegression(C=30, max_iter=1000)).fit(
        data.database, data.labels
    )
    codes = Trivial(iterations=1000).fit(data.database, data.labels).encode(data.query)
    np.testing.assert_array_equal(codes.unpack(), np.eye(10)[classifier.predict(data.query)])


def test_there_are_exactly_two_tie_groups() -> None:
    data = digits()
    bits = Trivial().fit(data.database, data.labels).encode(data.query).unpack()
    assert set(np.unique((bits[:, None] != bits).sum(axis=2))) == {0, 2}


def test_two_classes_have_a_bit_each() -> None:
    data = digits()
    few = data.labels < 2
    bits = Trivial().fit(data.database[few], data.labels[few]).encode(data.database[few]).unpack()
    np.testing.assert_array_equal(bits, np.eye(2)[data.labels[few]])


def test_a_matrix_of_labels_gives_the_predicted_labels() -> None:
    data = digits()
    labels = np.stack([data.labels % 2 == 0, data.labels < 5, data.labels < 0, data.labels >= 0], axis=1)
    bits = Trivial().fit(data.database, labels).encode(data.database).unpack()
    assert (bits == labels).mean(axis=0).min() > 0.85
    assert not bits[:, 2].any()
    assert bits[:, 3].all()


def test_a_constant_feature_has_no_say() -> None:
    data = digits()
    wider = np.concatenate([data.database, np.full((len(data.database), 1), 0.1)], axis=1)
    query = np.concatenate([data.query, np.full((len(data.query), 1), 1e6)], axis=1)
    usual = Trivial().fit(data.database, data.labels).encode(data.query).unpack()
    np.testing.assert_array_equal(Trivial().fit(wider, data.labels).encode(query).unpack(), usual)


def test_one_class_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^labels of Trivial must be of 2 to 4096 classes; got 1$"):
        Trivial().fit(np.eye(3), [7, 7, 7])


def test_more_classes_than_a_code_has_bits_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^labels of Trivial must be of 2 to 4096 classes; got 4097$"):
        Trivial().fit(np.arange(4097.0)[:, None], np.arange(4097))


def test_it_beats_every_method_that_does_not_see_labels() -> None:
    assert average_precision("trivial") > 0.85 > average_precision("itq", bits=32) + 0.1
