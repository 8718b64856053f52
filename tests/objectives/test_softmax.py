"""Softmax against its definition, label by label, and against torch."""

import numpy as np
import pytest
import torch

from evenrank.objective import batch_of
from evenrank.objectives.softmax import Softmax
from evenrank.relevance import SameLabel
from tests.objectives.examples import class_batch, label_batch, outputs_of

SETS = [[1, 1, 0], [0, 1, 0], [0, 0, 0], [1, 1, 1]]


def test_it_is_the_cross_entropy() -> None:
    outputs, labels = outputs_of(5, 3), [0, 2, 1, 1, 0]
    expected = torch.nn.functional.cross_entropy(outputs, torch.tensor(labels))
    assert Softmax()(outputs, class_batch(labels)).item() == pytest.approx(expected.item(), abs=1e-12)


def test_several_labels_cost_their_mean_and_none_costs_nothing() -> None:
    outputs = outputs_of(4, 3).numpy()
    costs = []
    for item, known in enumerate(SETS):
        scores = np.exp(outputs[item]) / np.exp(outputs[item]).sum()
        if any(known):
            costs.append(np.mean([-np.log(scores[label]) for label in range(3) if known[label]]))
    value = Softmax()(torch.from_numpy(outputs), label_batch(SETS))
    assert value.item() == pytest.approx(np.mean(costs), abs=1e-12)


def test_a_label_without_a_score_is_refused() -> None:
    with pytest.raises(ValueError, match=r"class numbers below 3.*; got 0 to 3"):
        Softmax()(outputs_of(3, 3), class_batch([0, 3, 1]))


def test_a_label_column_without_a_score_is_refused() -> None:
    with pytest.raises(ValueError, match=r"one column for each of 2 scores; got 3"):
        Softmax()(outputs_of(4, 2), label_batch(SETS))


def test_a_batch_without_labels_is_refused() -> None:
    with pytest.raises(ValueError, match=r"batch.labels must be a Tensor; got None"):
        Softmax()(outputs_of(2, 2), batch_of(SameLabel([0, 1], [0, 1]), np.arange(2)))
