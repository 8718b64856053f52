"""The triplet loss against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest

from evenrank.objectives.metric_learning.triplet import Triplet
from tests.objectives.metric_learning.agreement import agree, averaged, distance, negatives, positives, stay_finite


def plain(x: np.ndarray, labels: Sequence[int], margin: float) -> float:
    return averaged(
        [
            distance(x[a], x[p]) - distance(x[a], x[n]) + margin
            for a in range(len(labels))
            for p in positives(labels, a)
            for n in negatives(labels, a)
        ]
    )


@pytest.mark.parametrize("margin", [-0.2, 0.0, 0.1, 1.0])
def test_it_averages_the_violations_of_all_triplets(margin: float) -> None:
    agree(Triplet(margin=margin), lambda x, labels: plain(x, labels, margin))


def test_what_a_batch_cannot_say_costs_nothing() -> None:
    stay_finite(Triplet(), silent=("one class", "no positives", "one item"))
    stay_finite(Triplet(margin=-0.1), silent=("one class", "no positives", "one item", "duplicates", "constant rows"))
