"""Squared softmax against its definition, label by label."""

import numpy as np
import pytest
import torch

from evenrank.objectives.squared_softmax import SquaredSoftmax
from tests.objectives.examples import class_batch, label_batch, outputs_of

SETS = [[1, 1, 0], [0, 1, 0], [0, 0, 0], [1, 1, 1]]


def cost(scores: np.ndarray, label: int) -> float:
    shares = np.exp(scores) / np.exp(scores).sum()
    return float(((shares - np.eye(len(scores))[label]) ** 2).sum() / 2)


def test_it_is_half_the_squared_error() -> None:
    outputs, labels = outputs_of(5, 3), [0, 2, 1, 1, 0]
    expected = np.mean([cost(row, label) for row, label in zip(outputs.numpy(), labels, strict=True)])
    assert SquaredSoftmax()(outputs, class_batch(labels)).item() == pytest.approx(expected, abs=1e-12)


def test_several_labels_cost_their_mean_and_none_costs_nothing() -> None:
    outputs = outputs_of(4, 3).numpy()
    items = [np.mean([cost(outputs[i], y) for y in range(3) if SETS[i][y]]) for i in range(4) if any(SETS[i])]
    value = SquaredSoftmax()(torch.from_numpy(outputs), label_batch(SETS))
    assert value.item() == pytest.approx(np.mean(items), abs=1e-12)


def test_a_certain_error_costs_one_and_certainty_nothing() -> None:
    outputs = torch.tensor([[100.0, 0.0], [100.0, 0.0]])
    assert SquaredSoftmax()(outputs, class_batch([0, 0])).item() == pytest.approx(0)
    assert SquaredSoftmax()(outputs, class_batch([1, 1])).item() == pytest.approx(1)
