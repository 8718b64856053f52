"""deep-TS is the class that deep-SM finds likeliest, in each modality by its own network."""

from __future__ import annotations

import numpy as np

from evenrank.methods.crossmedia.deep_semantic_matching import DeepSemanticMatching
from evenrank.methods.crossmedia.deep_trivial import DeepTrivial
from tests.methods.crossmedia.two_modalities import average_precision, encoded, items

SMALL = {"width": 32, "epochs": 10, "batch": 40}


def test_it_is_the_likeliest_class_of_deep_semantic_matching_one_hot_and_of_the_items_own_modality() -> None:
    data = items(200, noise=3.0)
    chances = encoded(DeepSemanticMatching(**SMALL).fit(data.x, data.labels), data)
    found = encoded(DeepTrivial(**SMALL).fit(data.x, data.labels), data)
    for modality, values in chances.items():
        np.testing.assert_array_equal(found[modality], np.eye(4)[values.argmax(axis=1)])
    assert (found["image"] != found["text"]).any()


def test_items_find_those_of_their_class_in_the_other_modality() -> None:
    assert min(average_precision(DeepTrivial(**SMALL)).values()) > 0.6
