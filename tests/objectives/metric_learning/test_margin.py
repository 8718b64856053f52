"""The margin loss against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest

from evenrank.objectives.metric_learning.margin import Margin
from tests.objectives.metric_learning.agreement import agree, distance, negatives, positives, stay_finite


def plain(x: np.ndarray, labels: Sequence[int], beta: np.ndarray, margin: float) -> float:
    terms = []
    for a in range(len(labels)):
        for p in positives(labels, a):
            for n in negatives(labels, a):
                terms += [distance(x[a], x[p]) - beta[0] + margin, beta[0] - distance(x[a], x[n]) + margin]
    counted = [term for term in terms if term > 0]
    return float(sum(counted) / len(counted))


@pytest.mark.parametrize(("margin", "beta"), [(0.088, 0.78), (-0.1, 1.2), (0.5, 1.0)])
def test_it_divides_by_all_terms_above_zero(margin: float, beta: float) -> None:
    agree(Margin(margin=margin, beta=beta), lambda x, labels, boundary: plain(x, labels, boundary, margin))


def test_the_boundary_is_learned() -> None:
    (boundary,) = Margin(beta=1.25).parameters()
    assert boundary.tolist() == [1.25]
    assert boundary.requires_grad


def test_what_a_batch_cannot_say_costs_nothing() -> None:
    stay_finite(Margin(), silent=("one class", "no positives", "one item"))
