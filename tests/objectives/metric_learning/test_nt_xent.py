"""NT-Xent against its definition, and where the library's form gives up."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from evenrank.objectives.metric_learning.nt_xent import NTXent
from tests.objectives.examples import class_batch, label_batch, outputs_of
from tests.objectives.metric_learning.agreement import agree, negatives, positives, stay_finite


def plain(x: np.ndarray, labels: Sequence[int], temperature: float) -> float:
    costs = []
    for a in range(len(labels)):
        others = sum(np.exp(x[a] @ x[n] / temperature) for n in negatives(labels, a))
        for p in positives(labels, a):
            own = np.exp(x[a] @ x[p] / temperature)
            costs.append(-np.log(own / (own + others)))
    return float(np.mean(costs))


@pytest.mark.parametrize("temperature", [0.05, 0.5, 10.0])
def test_it_is_the_mean_over_positive_pairs(temperature: float) -> None:
    agree(NTXent(temperature=temperature), lambda x, labels: plain(x, labels, temperature))


def test_a_hard_positive_keeps_its_gradient_at_a_low_temperature() -> None:
    # Cosines to the anchor: positive 0, negative 1; the cost is 1 / T and grows with the angle.
    outputs = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0]]).requires_grad_()
    value = NTXent(temperature=1e-4)(outputs, class_batch([0, 0, 1]))
    value.backward()
    assert value.item() == pytest.approx((1e4 + np.log(2)) / 2)
    assert outputs.grad is not None
    assert outputs.grad[0, 1].item() == pytest.approx(-0.75e4)  # half of it from each anchor, less its own negative


def test_items_may_have_many_labels() -> None:
    one, many = class_batch([0, 0, 1]), label_batch([[1, 0], [1, 0], [0, 1]])
    outputs = outputs_of(3, 4)
    assert NTXent()(outputs, many) == NTXent()(outputs, one)


def test_what_a_batch_cannot_say_costs_nothing() -> None:
    stay_finite(NTXent(), silent=("one class", "no positives", "one item"))
