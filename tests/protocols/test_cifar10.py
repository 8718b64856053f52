"""CIFAR-10's two settings: sizes, classes, and the real rows."""

import numpy as np
import pytest

from evenrank.protocols.cifar10 import CIFAR10
from tests.protocols.examples import judged, several, single
from tests.real_data import real


def test_setting_1_draws_100_queries_and_500_training_items_of_each_class() -> None:
    data = single()
    [split] = CIFAR10().splits(data)
    assert np.bincount(data.labels[split.query]).tolist() == [100] * 10
    assert np.bincount(data.labels[split.train]).tolist() == [500] * 10
    assert np.isin(split.train, split.database).all()
    np.testing.assert_array_equal(np.union1d(split.query, split.database), np.arange(len(data)))


def test_setting_2_is_the_official_division() -> None:
    data = single()
    [split] = CIFAR10(setting=2).splits(data)
    np.testing.assert_array_equal(split.train, np.flatnonzero(data.train))
    np.testing.assert_array_equal(split.database, split.train)
    np.testing.assert_array_equal(split.query, np.flatnonzero(~data.train))


def test_too_few_items_no_official_part_and_another_setting_are_refused() -> None:
    with pytest.raises(ValueError, match="judged has no labels"):
        list(CIFAR10().splits(judged()))
    with pytest.raises(ValueError, match="several has no official training part"):
        list(CIFAR10(setting=2).splits(several()))
    with pytest.raises(ValueError, match="setting of CIFAR10 must be one of 1, 2; got 3"):
        CIFAR10(setting=3)


def test_the_real_images_split_as_stored() -> None:
    data = real("cifar10")
    [one], [two] = (CIFAR10(setting=setting).splits(data) for setting in (1, 2))
    assert [len(part) for part in (one.query, one.database, one.train)] == [1_000, 59_000, 5_000]
    assert [len(part) for part in (two.query, two.database, two.train)] == [10_000, 50_000, 50_000]
    assert one.hash[:16] == "6765b18f0e24b8dc"
    assert two.hash[:16] == "025a50736cfc7ee2"
