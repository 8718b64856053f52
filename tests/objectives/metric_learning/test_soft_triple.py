"""SoftTriple against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from evenrank.objectives.metric_learning.soft_triple import SoftTriple
from tests.objectives.examples import class_batch, outputs_of
from tests.objectives.metric_learning.agreement import agree, cross_entropy, stay_finite, unit


def plain(x: np.ndarray, labels: Sequence[int], weights: np.ndarray, objective: SoftTriple) -> float:
    centres = unit(weights.T).reshape(objective.classes, objective.centres, -1)  # class by class
    costs = []
    for row, own in zip(x, labels, strict=True):
        logits = np.zeros(objective.classes)
        for c in range(objective.classes):
            s = centres[c] @ row
            share = np.exp(s / objective.gamma) / np.exp(s / objective.gamma).sum()
            logits[c] = objective.scale * (share @ s - objective.margin * (c == own))
        costs.append(cross_entropy(logits, own))
    pairs = [
        np.sqrt(2 + 1e-5 - 2 * group[j] @ group[k]) for group in centres for j in range(len(group)) for k in range(j)
    ]
    return float(np.mean(costs) + (objective.regularisation * np.mean(pairs) if pairs else 0))


@pytest.mark.parametrize("gamma", [0.1, 1.0, 59.0])
@pytest.mark.parametrize("centres", [1, 2, 3])
def test_it_classifies_by_soft_maxima_and_draws_centres_together(gamma: float, centres: int) -> None:
    objective = SoftTriple(classes=4, dimensions=4, centres=centres, gamma=gamma, scale=10.0)
    agree(objective, lambda x, labels, weights: plain(x, labels, weights, objective))


def test_equal_centres_have_a_finite_gradient() -> None:
    objective = SoftTriple(classes=2, dimensions=4, centres=3)
    (weights,) = objective.parameters()
    weights.data = torch.ones_like(weights)
    objective(outputs_of(3, 4), class_batch([0, 1, 1])).backward()
    assert weights.grad is not None
    assert torch.isfinite(weights.grad).all()


def test_degenerate_batches_stay_finite() -> None:
    stay_finite(SoftTriple(classes=3, dimensions=4))
