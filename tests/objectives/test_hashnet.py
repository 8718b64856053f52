"""HashNet against its definition, pair by pair of the two halves."""

import numpy as np
import pytest
import torch

from evenrank.objectives.hashnet import HashNet
from tests.objectives.examples import class_batch, label_batch, outputs_of

LABELS = [0, 1, 1, 2, 0, 1, 1]
SETS = [[1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [0, 1, 1], [1, 0, 0]]


def by_definition(outputs: np.ndarray, labels: np.ndarray, alpha: float, weight: float | None) -> float:
    codes, half = np.tanh(alpha * outputs), len(outputs) // 2
    pairs = [(i, j) for i in range(half) for j in range(half, len(outputs))]
    similar = {(i, j): bool((labels[i] & labels[j]).any()) for i, j in pairs}
    counts = {kind: sum(value == kind for value in similar.values()) for kind in (True, False)}
    weights, costs = [], []
    for i, j in pairs:
        x = 10 / codes.shape[1] * codes[i] @ codes[j]
        costs.append(np.log(1 + np.exp(x)) - similar[i, j] * x)
        common = (labels[i] & labels[j]).sum() / (labels[i] | labels[j]).sum() if similar[i, j] else 1
        balanced = len(pairs) / counts[similar[i, j]]
        fixed = weight if similar[i, j] else 1
        weights.append(common * (balanced if weight is None else fixed))
    return float(np.dot(weights, costs) / np.sum(weights))


@pytest.mark.parametrize(("alpha", "weight"), [(1.0, None), (3.0, None), (1.0, 10.0)])
def test_it_is_the_weighted_likelihood_of_pairs_of_halves(alpha: float, weight: float | None) -> None:
    outputs = outputs_of(7, 5)
    value = HashNet(alpha=alpha, positive_weight=weight)(outputs, class_batch(LABELS))
    expected = by_definition(outputs.numpy(), np.eye(3, dtype=bool)[LABELS], alpha, weight)
    assert value.item() == pytest.approx(expected, abs=1e-12)


def test_labels_in_common_weigh_similar_pairs() -> None:
    outputs = outputs_of(6, 5)
    value = HashNet()(outputs, label_batch(SETS))
    expected = by_definition(outputs.numpy(), np.array(SETS, bool), 1.0, None)
    assert value.item() == pytest.approx(expected, abs=1e-12)


def test_similar_and_other_pairs_count_the_same() -> None:
    rare = class_batch([0, 1, 1, 1, 0, 2, 3, 4])
    assert HashNet()(torch.zeros(8, 4), rare).item() == pytest.approx(np.log(2), abs=1e-6)


def test_pairs_within_a_half_do_not_count() -> None:
    outputs = outputs_of(4, 5)
    assert HashNet()(outputs, class_batch([0, 0, 1, 1])) == HashNet()(outputs, class_batch([0, 0, 2, 3]))
