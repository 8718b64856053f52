"""FastAP against its definition, bin by bin, and against the library that paper 5 used."""

import numpy as np
import pytest
import torch
from pytorch_metric_learning.losses import FastAPLoss

from evenrank.objectives.fast_ap import FastAP
from tests.objectives.examples import class_batch, outputs_of

LABELS = [0, 0, 1, 1, 2, 0, 3]  # the last item has no relevant one


def by_definition(outputs: np.ndarray, labels: list[int], bins: int) -> float:
    unit = outputs / np.linalg.norm(outputs, axis=1, keepdims=True)
    values = []
    for query in range(len(labels)):
        relevant = sum(label == labels[query] for label in labels) - 1
        if not relevant:
            continue
        positive, every = np.zeros(bins + 1), np.zeros(bins + 1)
        for item in range(len(labels)):
            if item != query:
                squared = ((unit[query] - unit[item]) ** 2).sum()
                pulse = np.maximum(0, 1 - np.abs(squared - np.arange(bins + 1) * 4 / bins) / (4 / bins))
                every += pulse
                positive += pulse * (labels[item] == labels[query])
        seen, relevant_seen = np.cumsum(every), np.cumsum(positive)
        found = sum(positive[b] * relevant_seen[b] / seen[b] for b in range(bins + 1) if seen[b])
        values.append(found / relevant)
    return 1 - float(np.mean(values))


@pytest.mark.parametrize("bins", [1, 5, 17])
def test_it_is_the_sum_over_bins(bins: int) -> None:
    outputs = outputs_of(7, 4)
    value = FastAP(bins=bins)(outputs, class_batch(LABELS))
    assert value.item() == pytest.approx(by_definition(outputs.numpy(), LABELS, bins), abs=1e-12)


def test_it_agrees_with_the_library_of_paper_5() -> None:
    outputs = outputs_of(40, 8)
    labels = [item % 5 for item in range(40)]
    theirs = FastAPLoss(num_bins=10)(outputs, torch.tensor(labels))
    assert FastAP(bins=10)(outputs, class_batch(labels)).item() == pytest.approx(theirs.item(), abs=1e-9)


def test_length_does_not_matter() -> None:
    outputs = outputs_of(7, 4)
    scales = torch.linspace(0.1, 9, 7, dtype=torch.float64)[:, None]
    batch = class_batch(LABELS)
    assert FastAP()(outputs, batch).item() == pytest.approx(FastAP()(outputs * scales, batch).item(), abs=1e-12)


def test_separated_classes_cost_nothing() -> None:
    outputs = torch.tensor([[1.0, 0.0], [2.0, 0.0], [-1.0, 0.0], [-3.0, 0.0]])
    assert FastAP()(outputs, class_batch([0, 0, 1, 1])).item() == pytest.approx(0, abs=1e-6)
