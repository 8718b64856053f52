"""Deep Supervised Hashing against its definition, pair by pair."""

from itertools import combinations

import numpy as np
import pytest
import torch

from evenrank.objectives.dsh import DSH
from tests.objectives.examples import class_batch, outputs_of

LABELS = [0, 0, 1, 1, 2, 0]


def by_definition(outputs: np.ndarray, margin: float, weight: float) -> float:
    items = len(outputs)
    total = 0.0
    for one, other in combinations(range(items), 2):
        distance = ((outputs[one] - outputs[other]) ** 2).sum()
        total += distance / 2 if LABELS[one] == LABELS[other] else max(margin - distance, 0) / 2
    return float(total / (items * (items - 1)) + weight * np.abs(np.abs(outputs) - 1).sum() / items)


@pytest.mark.parametrize(("margin", "weight"), [(2.0, 0.01), (0.5, 1.0)])
def test_it_is_the_contrastive_loss_over_pairs(margin: float, weight: float) -> None:
    outputs = outputs_of(6, 4)
    value = DSH(margin=margin, quantisation=weight)(outputs, class_batch(LABELS))
    assert value.item() == pytest.approx(by_definition(outputs.numpy(), margin * 4, weight), abs=1e-12)


def test_codes_that_differ_in_half_of_the_bits_cost_nothing() -> None:
    codes = torch.tensor([[1.0, 1, 1, 1], [1, 1, 1, 1], [1, 1, -1, -1]])
    assert DSH()(codes, class_batch([0, 0, 1])).item() == 0
    assert DSH(margin=2.1)(codes, class_batch([0, 0, 1])).item() > 0
