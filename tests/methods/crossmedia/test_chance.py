"""Chance says nothing about items, and is yet a function of each."""

from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.crossmedia.chance import Chance
from tests.methods.crossmedia.two_modalities import average_precision, items


def test_average_precision_is_the_share_of_relevant_items() -> None:
    for value in average_precision(Chance()).values():
        assert value == pytest.approx(0.25, abs=0.02)


def test_values_are_even_and_independent() -> None:
    data = items(2000)
    values = Chance(dimensions=20).fit(data.x).transform(data.image, "image")
    correlations = np.corrcoef(values.T) - np.eye(20)
    assert np.abs(values.mean(axis=0)).max() < 0.06  # 4.6 standard deviations
    assert np.abs(correlations).max() < 0.11
    np.testing.assert_allclose(values.std(axis=0), 1 / np.sqrt(3), rtol=0.06)


def test_near_items_and_the_same_features_as_an_image_and_as_a_text_are_unrelated() -> None:
    data = items(2000, image=6, text=6)
    method = Chance(dimensions=1).fit(data.x)
    values = method.transform(data.image, "image")[:, 0]
    for others in (method.transform(data.image + 1e-3, "image"), method.transform(data.image, "text")):
        assert abs(np.corrcoef(values, others[:, 0])[0, 1]) < 0.1


def test_an_embedding_depends_on_the_item_and_the_seed_and_not_on_the_place() -> None:
    data = items(50)
    method = Chance().fit(data.x)
    values = method.transform(data.text, "text")
    np.testing.assert_array_equal(method.transform(data.text[::-1], "text"), values[::-1])
    assert not np.isin(Chance(seed=1).fit(data.x).transform(data.text, "text"), values).any()


def test_both_zeros_are_one_item() -> None:
    method = Chance().fit({"image": np.eye(2), "text": np.eye(2)})
    first, second = method.transform([[0.0, 1.0], [-0.0, 1.0]], "image")
    np.testing.assert_array_equal(first, second)
