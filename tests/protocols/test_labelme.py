"""22K LabelMe: sizes, and levels by distance of centred unit features."""

import numpy as np
import pytest

from evenrank.protocols.labelme import LabelMe
from tests.protocols.examples import judged, single
from tests.real_data import real


def test_sizes_are_the_options() -> None:
    [split] = LabelMe(queries=30, training=40, seed=3).splits(single())
    assert [len(part) for part in (split.query, split.database, split.train)] == [30, 7_970, 40]
    assert np.isin(split.train, split.database).all()


def test_too_few_items_are_refused() -> None:
    with pytest.raises(ValueError, match="labelme needs 7000 items to query and train; judged has 8"):
        list(LabelMe().splits(judged()))


def test_levels_by_hand() -> None:
    """Distances of unit vectors around the training mean, each threshold the quantile of the training pairs."""
    data, protocol = single(), LabelMe(queries=20, training=60)
    [split] = protocol.splits(data)
    values = np.asarray(data.modalities["image"], float)
    values = values - values[split.train].mean(axis=0)
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    train = np.linalg.norm(values[split.train][:, None] - values[split.train][None], axis=2)
    steps = np.quantile(train[np.triu_indices(60, 1)], [0.05, 0.01, 0.002, 0.001])
    apart = np.linalg.norm(values[split.query][:, None] - values[split.database][None], axis=2)
    wanted = np.select([apart <= step for step in steps[::-1]], [10, 5, 2, 1], 0)
    close = np.abs(apart[..., None] - steps).min(axis=2) < 1e-6  # rounding decides these
    relevance = protocol.relevance(data, split)
    np.testing.assert_array_equal(relevance.levels[relevance.block()][~close], wanted[~close])


def test_the_gist_rows() -> None:
    data, protocol = real("bundle(path='cifar10-gist22k')"), LabelMe()
    [split] = protocol.splits(data)
    assert [len(part) for part in (split.query, split.database, split.train)] == [2_000, 20_019, 5_000]
    assert split.hash[:16] == "e10859c273f4425f"
    shares = np.bincount(protocol.relevance(data, split).block(slice(0, 200)).ravel(), minlength=5) / (200 * 20_019)
    np.testing.assert_allclose(shares[::-1].cumsum()[:4], [0.001, 0.002, 0.01, 0.05], rtol=0.5)
