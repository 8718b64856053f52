"""The publisher's own parts."""

import numpy as np
import pytest

from evenrank.protocols.official import Official
from tests.protocols.examples import several, single


def test_the_test_part_queries_the_training_part() -> None:
    [split] = Official().splits(single())
    np.testing.assert_array_equal(split.query, np.flatnonzero(~single().train))
    np.testing.assert_array_equal(split.database, np.flatnonzero(single().train))


def test_data_without_parts_is_refused() -> None:
    with pytest.raises(ValueError, match="several has no official training part, which this protocol needs"):
        list(Official().splits(several()))
