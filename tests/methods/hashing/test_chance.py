from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.hashing.chance import Chance
from tests.methods.hashing.digits import average_precision, digits


def test_average_precision_is_the_share_of_relevant_items() -> None:
    data = digits()
    share = np.mean([(data.labels == label).mean() for label in data.query_labels])
    assert average_precision("chance", bits=16) == pytest.approx(share, abs=0.01)


def test_bits_are_even_and_independent() -> None:
    bits = Chance(bits=64).fit(digits().database).encode(digits().database).signs().astype(float)
    correlations = bits.T @ bits / len(bits)
    np.fill_diagonal(correlations, 0)
    assert np.abs(bits.mean(axis=0)).max() < 0.16  # 5 standard deviations of 1,000 fair coins
    assert np.abs(correlations).max() < 0.16


def test_near_items_are_as_different_as_any() -> None:
    items = digits().database
    method = Chance(bits=256).fit(items)
    different = method.encode(items).unpack() != method.encode(items + 1e-3).unpack()
    assert different.mean() == pytest.approx(0.5, abs=0.01)


def test_a_code_depends_on_the_item_and_not_on_its_place() -> None:
    items = digits().database
    method = Chance(bits=20).fit(items)
    np.testing.assert_array_equal(method.encode(items[::-1]).unpack(), method.encode(items).unpack()[::-1])


def test_both_zeros_are_one_item() -> None:
    method = Chance(bits=20).fit(np.eye(2))
    first, second = method.encode([[0.0, 1.0], [-0.0, 1.0]]).unpack()
    np.testing.assert_array_equal(first, second)


def test_seeds_give_other_codes() -> None:
    items = digits().database
    first, second = (Chance(bits=64, seed=seed).fit(items).encode(items).unpack() for seed in (0, 1))
    assert (first == second).mean() == pytest.approx(0.5, abs=0.02)
