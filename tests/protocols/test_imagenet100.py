"""ImageNet100: validation images query, the training images are searched, some of them train."""

from dataclasses import replace

import numpy as np

from evenrank.protocols.imagenet100 import ImageNet100
from tests.protocols.examples import single


def test_training_items_are_drawn_from_the_database() -> None:
    data = single()
    [split] = ImageNet100().splits(data)
    assert np.bincount(data.labels[split.train]).tolist() == [130] * 10
    np.testing.assert_array_equal(split.database, np.flatnonzero(data.train))
    np.testing.assert_array_equal(split.query, np.flatnonzero(~data.train))
    assert np.isin(split.train, split.database).all()


def test_a_published_list_of_training_items_is_followed() -> None:
    listed = single().train & (np.arange(8_000) % 10 == 5)
    [split] = ImageNet100().splits(replace(single(), extras={"listed_train": listed}))
    np.testing.assert_array_equal(split.train, np.flatnonzero(listed))
