from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.hashing.pca_hashing import PCAHashing
from tests.methods.hashing.digits import average_precision, digits, same_up_to_flips


def components(x: np.ndarray) -> np.ndarray:
    """Return the principal components by the decomposition of the centred items."""
    left, spread, _ = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    return left * spread


def test_bits_are_the_signs_of_the_components() -> None:
    items = digits().database
    bits = PCAHashing(bits=20).fit(items).encode(items).unpack()
    assert same_up_to_flips(bits, components(items)[:, :20] > 0).min() > 0.998


def test_more_dimensions_than_items_give_the_same_signs() -> None:
    items = np.random.default_rng(0).standard_normal((30, 50)) * np.linspace(3, 1, 50)
    bits = PCAHashing(bits=12).fit(items).encode(items).unpack()
    assert same_up_to_flips(bits, components(items)[:, :12] > 0).min() == 1


def test_a_shift_of_the_features_changes_no_code() -> None:
    items = digits().database
    usual = PCAHashing(bits=16).fit(items).encode(items).unpack()
    assert same_up_to_flips(PCAHashing(bits=16).fit(items + 64).encode(items + 64).unpack(), usual).min() > 0.998


def test_there_is_one_bit_for_each_axis_along_which_items_vary() -> None:
    plane = np.random.default_rng(0).standard_normal((100, 2)) @ np.random.default_rng(1).standard_normal((2, 9))
    with pytest.warns(UserWarning, match="PCAHashing: 5 bits asked for, 2 possible"):
        method = PCAHashing(bits=5).fit(plane)
    assert method.encode(plane).bits == 2


def test_items_that_are_all_alike_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^features of PCAHashing must vary; got 9 items that are all alike$"):
        PCAHashing().fit(np.full((9, 4), 0.1))


def test_a_few_bits_beat_lsh_and_many_are_worse() -> None:
    """The known weakness: later axes carry little, and weigh as much as the first."""
    assert average_precision("pca_hashing", bits=8) > average_precision("lsh", bits=8) + 0.03
    assert average_precision("pca_hashing", bits=48) < average_precision("pca_hashing", bits=8)
