"""The margin loss with a boundary a class, against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest

from evenrank.objectives.metric_learning.margin_class import MarginClass
from tests.objectives.metric_learning.agreement import agree, distance, negatives, positives, stay_finite


def plain(x: np.ndarray, labels: Sequence[int], betas: np.ndarray, margin: float) -> float:
    terms = []
    for a in range(len(labels)):
        beta = betas[labels[a]]
        for p in positives(labels, a):
            for n in negatives(labels, a):
                terms += [distance(x[a], x[p]) - beta + margin, beta - distance(x[a], x[n]) + margin]
    counted = [term for term in terms if term > 0]
    return float(sum(counted) / len(counted))


@pytest.mark.parametrize("margin", [-0.1, 0.078, 0.5])
def test_an_anchor_uses_the_boundary_of_its_class(margin: float) -> None:
    objective = MarginClass(classes=5, margin=margin)
    (boundaries,) = objective.parameters()
    boundaries.data += boundaries.data.new_tensor([0.0, 0.2, -0.1, 0.3, -0.3])
    agree(objective, lambda x, labels, betas: plain(x, labels, betas, margin))


def test_every_class_has_a_boundary_that_is_learned() -> None:
    (boundaries,) = MarginClass(classes=3, beta=1.25).parameters()
    assert boundaries.tolist() == [1.25] * 3


def test_what_a_batch_cannot_say_costs_nothing() -> None:
    stay_finite(MarginClass(classes=3), silent=("one class", "no positives", "one item"))
