"""So many of each class: sizes and errors; the GIST rows."""

import numpy as np
import pytest

from evenrank.protocols.cifar10 import CIFAR10
from evenrank.protocols.per_class import PerClass
from tests.protocols.examples import single
from tests.real_data import real


def test_the_numbers_are_the_options() -> None:
    data = single()
    [split] = PerClass(queries=3, training=7, seed=4).splits(data)
    assert np.bincount(data.labels[split.query]).tolist() == [3] * 10
    assert np.bincount(data.labels[split.train]).tolist() == [7] * 10


def test_the_default_is_the_first_setting_of_cifar10() -> None:
    assert next(PerClass(seed=2).splits(single())).hash == next(CIFAR10(seed=2).splits(single())).hash


def test_a_class_with_too_few_items_is_named() -> None:
    with pytest.raises(ValueError, match="the query part of per class needs 801 items of every class; class 0 has 800"):
        list(PerClass(queries=801).splits(single()))
    with pytest.raises(
        ValueError, match="the training part of per class needs 701 items of every class; class 0 has 700"
    ):
        list(PerClass(training=701).splits(single()))


def test_the_gist_rows_split_as_stored() -> None:
    [split] = PerClass().splits(real("bundle(path='cifar10-gist22k')"))
    assert [len(part) for part in (split.query, split.database, split.train)] == [1_000, 21_019, 5_000]
    assert split.hash[:16] == "a9c0e6b9e1d7c461"
