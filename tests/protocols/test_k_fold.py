"""Plain k-fold."""

import numpy as np
import pytest

from evenrank.protocols.k_fold import KFold
from tests.protocols.examples import judged, single


def test_folds_partition_the_items() -> None:
    splits = list(KFold(folds=3).splits(single()))
    assert [len(split.query) for split in splits] == [2_667, 2_667, 2_666]
    np.testing.assert_array_equal(np.sort(np.concatenate([split.query for split in splits])), np.arange(8_000))
    for split in splits:
        np.testing.assert_array_equal(np.union1d(split.query, split.database), np.arange(8_000))


def test_more_folds_than_items_are_refused() -> None:
    with pytest.raises(ValueError, match="folds of k_fold must be at most the items, 8; got 9"):
        list(KFold(folds=9).splits(judged()))
