"""CIFAR-100 by superclass."""

import numpy as np
import pytest

from evenrank.protocols.cifar100_coarse import CIFAR100Coarse
from tests.protocols.examples import several, single


def test_relevant_is_the_same_superclass() -> None:
    data, protocol = single(), CIFAR100Coarse()
    [split] = protocol.splits(data)
    coarse = data.superclasses
    wanted = coarse[split.query[:20], None] == coarse[split.database]
    np.testing.assert_array_equal(protocol.relevance(data, split).block(slice(0, 20)), wanted)


def test_data_without_superclasses_is_refused() -> None:
    protocol = CIFAR100Coarse()
    split = next(protocol.splits(single()))
    with pytest.raises(ValueError, match="several has no superclasses"):
        protocol.relevance(several(), split)
