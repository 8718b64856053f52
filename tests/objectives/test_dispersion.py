"""Dispersion against its definition, pair by pair."""

from itertools import combinations

import numpy as np
import pytest
import torch

from evenrank.objectives.dispersion import Dispersion
from tests.objectives.examples import class_batch, outputs_of

LABELS = [0, 0, 1, 1, 2, 0]


def by_definition(outputs: np.ndarray, margin: float) -> float:
    items, bits = outputs.shape
    total = 0.0
    for one, other in combinations(range(items), 2):
        distance = np.abs(outputs[one] - outputs[other]).sum()
        if LABELS[one] == LABELS[other]:
            total += (max(bits / 6 - distance, 0) + max(distance - bits / 3, 0)) / 2
        else:
            total += max(margin - distance, 0) / 2
    return float(total / (items * (items - 1)) + 0.01 * np.abs(np.abs(outputs) - 1).sum() / items)


@pytest.mark.parametrize(("margin", "bits"), [("paper", 2), ("consistent", 1)])
def test_it_is_the_loss_over_pairs(margin: str, bits: int) -> None:
    outputs = outputs_of(6, 12) / 4
    value = Dispersion(margin=margin)(outputs, class_batch(LABELS))
    assert value.item() == pytest.approx(by_definition(outputs.numpy(), bits * 12), abs=1e-12)


def test_a_class_on_one_code_pays_and_a_class_one_bit_apart_does_not() -> None:
    same, apart = torch.ones(2, 12), torch.ones(2, 12)
    apart[1, 0] = -1  # L1 distance 2, from b/6 to b/3
    batch = class_batch([0, 0])
    assert Dispersion()(same, batch).item() > 0
    assert Dispersion()(apart, batch).item() == 0


def test_half_of_the_bits_is_enough_for_the_consistent_margin_only() -> None:
    codes = torch.ones(2, 12)
    codes[1, :6] = -1
    assert Dispersion(margin="consistent")(codes, class_batch([0, 1])).item() == 0
    assert Dispersion(margin="paper")(codes, class_batch([0, 1])).item() > 0
