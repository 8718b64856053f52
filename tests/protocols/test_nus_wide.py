"""NUS-WIDE: every label gets its items, none twice; levels count shared labels."""

import numpy as np

from evenrank.protocols.nus_wide import NUSWide
from tests.protocols.examples import several


def test_each_label_gets_its_own_100_queries_and_500_training_items() -> None:
    data = several()
    [split] = NUSWide().splits(data)
    assert len(split.query) == 10 * 100
    assert len(split.train) == 10 * 500
    assert data.labels[split.query].sum(axis=0).min() >= 100
    assert data.labels[split.train].sum(axis=0).min() >= 500
    assert np.isin(split.train, split.database).all()


def test_the_level_is_the_number_of_shared_labels() -> None:
    data, protocol = several(), NUSWide()
    [split] = protocol.splits(data)
    relevance = protocol.relevance(data, split)
    shared = data.labels[split.query[:50]].astype(int) @ data.labels[split.database].T.astype(int)
    np.testing.assert_array_equal(relevance.levels[relevance.block(slice(0, 50))], shared)
