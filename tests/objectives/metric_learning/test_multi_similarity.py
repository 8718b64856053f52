"""The multi-similarity loss against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest

from evenrank.objectives.metric_learning.multi_similarity import MultiSimilarity
from tests.objectives.metric_learning.agreement import agree, negatives, positives, stay_finite


def plain(x: np.ndarray, labels: Sequence[int], alpha: float, beta: float, base: float) -> float:
    total = 0.0
    for a in range(len(labels)):
        near = sum(np.exp(-alpha * (x[a] @ x[p] - base)) for p in positives(labels, a))
        far = sum(np.exp(beta * (x[a] @ x[n] - base)) for n in negatives(labels, a))
        total += np.log(1 + near) / alpha + np.log(1 + far) / beta
    return float(total / len(labels))


@pytest.mark.parametrize("keywords", [(0.01, 51.0, 0.56), (14.0, 76.0, 0.66), (2.0, 2.0, 0.0)])
def test_it_is_the_mean_of_two_soft_maxima(keywords: tuple[float, float, float]) -> None:
    alpha, beta, base = keywords
    agree(MultiSimilarity(alpha=alpha, beta=beta, base=base), lambda x, labels: plain(x, labels, *keywords))


def test_what_a_batch_cannot_say_costs_nothing() -> None:
    stay_finite(MultiSimilarity(), silent=("one item",))
