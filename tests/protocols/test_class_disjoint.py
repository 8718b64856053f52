"""Class-disjoint halves, as metric learning is tested."""

import numpy as np
import pytest

from evenrank.dataset import Dataset
from evenrank.protocols.class_disjoint import ClassDisjoint
from tests.protocols.examples import several, single
from tests.real_data import real


def test_the_second_half_of_the_classes_searches_itself() -> None:
    data = single()
    for split in ClassDisjoint(folds=5).splits(data):
        assert set(data.labels[split.query]) == {5, 6, 7, 8, 9}
        np.testing.assert_array_equal(split.query, split.database)
        np.testing.assert_array_equal(split.own, np.arange(len(split.query)))
        assert set(data.labels[split.train]) == set(split.classes)


def test_folds_validate_on_the_last_stretch_of_the_rotated_list_of_classes() -> None:
    """22 classes, 11 in the first half: stretches of 2, 3, 3, 3 classes; fold 0 validates on the last."""
    data = Dataset("many", {"image": np.zeros((44, 1))}, np.arange(44) % 22)
    held = [sorted(set(data.labels[split.validation])) for split in ClassDisjoint().splits(data)]
    assert held == [[8, 9, 10], [0, 1], [2, 3, 4], [5, 6, 7]]


def test_labels_that_cannot_be_halved_are_refused() -> None:
    with pytest.raises(ValueError, match="class_disjoint needs one label an item; several has several"):
        list(ClassDisjoint().splits(several()))
    with pytest.raises(ValueError, match="folds of class_disjoint must be at most half of the classes, 5; got 6"):
        list(ClassDisjoint(folds=6).splits(single()))


def test_the_birds_split_as_paper_5_says() -> None:
    splits = list(ClassDisjoint().splits(real("bundle(path='cub200')")))
    assert [len(split.classes) for split in splits] == [75] * 4
    assert [len(split.query) for split in splits] == [5_924] * 4
    assert [len(split.train) + len(split.validation) for split in splits] == [5_864] * 4
    assert splits[0].hash[:16] == "793b4eab0e67c8a0"
