"""Queries set aside at random."""

import numpy as np
import pytest

from evenrank.protocols.hold_out import HoldOut
from tests.protocols.examples import judged, single


def test_a_share_queries_the_rest() -> None:
    [split] = HoldOut(share=0.25).splits(single())
    assert len(split.query) == 2_000
    np.testing.assert_array_equal(split.train, split.database)
    np.testing.assert_array_equal(np.union1d(split.query, split.database), np.arange(8_000))


@pytest.mark.parametrize("share", [0.01, 0.99])
def test_a_share_that_leaves_nothing_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="share of hold_out must leave queries and database"):
        list(HoldOut(share=share).splits(judged()))
