"""DPSH against its definition, pair by pair."""

import numpy as np
import pytest
import torch

from evenrank.objectives.dpsh import DPSH
from tests.objectives.examples import class_batch, outputs_of

LABELS = [0, 1, 0, 1, 2, 0, 2]
ROWS = [4, 0, 2]


def by_definition(outputs: np.ndarray, bank: np.ndarray, eta: float) -> float:
    costs, away = [], 0.0
    for place, row in enumerate(ROWS):
        for item in range(len(LABELS)):
            if item not in ROWS:
                theta = outputs[place] @ bank[item] / 2
                costs.append(np.log(1 + np.exp(theta)) - (LABELS[row] == LABELS[item]) * theta)
        away += ((np.where(outputs[place] > 0, 1, -1) - outputs[place]) ** 2).sum()
    return float(np.mean(costs) + eta * away / (len(ROWS) * len(LABELS)))


@pytest.mark.parametrize("eta", [0.0, 50.0])
def test_it_is_the_likelihood_of_pairs_with_the_bank(eta: float) -> None:
    outputs, bank = outputs_of(3, 5), outputs_of(7, 5, seed=1)
    value = DPSH(quantisation=eta)(outputs, class_batch(LABELS, bank, ROWS))
    assert value.item() == pytest.approx(by_definition(outputs.numpy(), bank.numpy(), eta), abs=1e-12)


def test_large_products_do_not_overflow() -> None:
    outputs, bank = 1e3 * outputs_of(3, 5).float(), 1e3 * outputs_of(7, 5, seed=1).float()
    assert torch.isfinite(DPSH()(outputs, class_batch(LABELS, bank, ROWS)))


def test_the_bank_gets_no_gradient() -> None:
    outputs, bank = outputs_of(3, 5).requires_grad_(), outputs_of(7, 5, seed=1).requires_grad_()
    DPSH()(outputs, class_batch(LABELS, bank, ROWS)).backward()
    assert outputs.grad is not None
    assert bank.grad is None
