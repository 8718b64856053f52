"""The multi-similarity loss on mined pairs against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from evenrank.objectives.metric_learning.multi_similarity_mined import MultiSimilarityMined
from tests.objectives.examples import class_batch
from tests.objectives.metric_learning.agreement import agree, negatives, positives, stay_finite


def plain(x: np.ndarray, labels: Sequence[int], alpha: float, beta: float, base: float, epsilon: float) -> float:
    total = 0.0
    for a in range(len(labels)):
        near = [x[a] @ x[p] for p in positives(labels, a)]
        far = [x[a] @ x[n] for n in negatives(labels, a)]
        if near and far:
            kept_near = [s for s in near if s < max(far) + epsilon]
            kept_far = [s for s in far if s > min(near) - epsilon]
            total += np.log(1 + sum(np.exp(-alpha * (s - base)) for s in kept_near)) / alpha
            total += np.log(1 + sum(np.exp(beta * (s - base)) for s in kept_far)) / beta
    return float(total / len(labels))


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.39, 1.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_only_hard_pairs_count(epsilon: float, seed: int) -> None:
    objective = MultiSimilarityMined(alpha=2.0, beta=10.0, base=0.5, epsilon=epsilon)
    agree(objective, lambda x, labels: plain(x, labels, 2.0, 10.0, 0.5, epsilon), seed=seed)


def test_a_single_hard_pair_counts() -> None:
    # Of the second anchor only: its positive (cosine 0) is no nearer than its negative (cosine 0.6).
    x = np.array([[1.0, 0.0], [0.0, 1.0], [-0.8, 0.6]])
    value = MultiSimilarityMined(alpha=1.0, beta=1.0, base=0.0, epsilon=0.0)(torch.tensor(x), class_batch([0, 0, 1]))
    assert value.item() == pytest.approx(plain(x, [0, 0, 1], 1.0, 1.0, 0.0, 0.0))
    assert value.item() == pytest.approx((np.log(2) + np.log(1 + np.exp(0.6))) / 3)


def test_what_a_batch_cannot_say_costs_nothing() -> None:
    stay_finite(MultiSimilarityMined(), silent=("one class", "no positives", "one item"))
