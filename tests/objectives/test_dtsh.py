"""DTSH against its definition over all triplets: exactly where draws have no choice, else in the limit of many."""

import numpy as np
import pytest
import torch

from evenrank.objectives.dtsh import DTSH
from tests.objectives.examples import class_batch, outputs_of

LABELS = [0, 1, 0, 1, 2, 0, 2]
ROWS = [4, 0, 1]


def by_definition(
    outputs: np.ndarray, bank: np.ndarray, labels: list[int], rows: list[int], margin: float, weight: float
) -> float:
    values, away = [], []
    for place, row in enumerate(rows):
        theta = bank @ outputs[place] / 2
        stored = [item for item in range(len(labels)) if item not in rows]
        positives = [item for item in stored if labels[item] == labels[row]]
        negatives = [item for item in stored if labels[item] != labels[row]]
        costs = [np.log(1 + np.exp(-(theta[p] - theta[n] - margin))) for p in positives for n in negatives]
        values += [np.mean(costs)] if costs else []
        away.append(((np.where(outputs[place] > 0, 1, -1) - outputs[place]) ** 2).sum())
    return float(np.mean(values) + weight * np.mean(away))


def test_where_there_is_one_of_each_it_is_that_triplet() -> None:
    labels, rows = [0, 1, 0, 1], [0, 1]
    outputs, bank = outputs_of(2, 6), outputs_of(4, 6, seed=1)
    value = DTSH(margin=0.25, quantisation=0.1)(outputs, class_batch(labels, bank, rows))
    expected = by_definition(outputs.numpy(), bank.numpy(), labels, rows, margin=1.5, weight=0.1)
    assert value.item() == pytest.approx(expected, abs=1e-12)


def test_many_draws_come_to_the_mean_over_all_triplets() -> None:
    outputs, bank = outputs_of(3, 6), outputs_of(7, 6, seed=1)
    value = DTSH(positives=2000, negatives=2000)(outputs, class_batch(LABELS, bank, ROWS))
    expected = by_definition(outputs.numpy(), bank.numpy(), LABELS, ROWS, margin=3.0, weight=0.009)
    assert value.item() == pytest.approx(expected, rel=0.03)


def test_draws_follow_the_seed_and_the_rows() -> None:
    outputs, bank = outputs_of(3, 6), outputs_of(7, 6, seed=1)
    batch, few = class_batch(LABELS, bank, ROWS), DTSH(positives=1, negatives=1)
    assert few(outputs, batch) == few(outputs, batch)
    assert few(outputs, batch) != DTSH(positives=1, negatives=1, seed=1)(outputs, batch)


def test_items_without_a_stored_relevant_one_only_pay_for_quantisation() -> None:
    outputs, bank = outputs_of(1, 6), outputs_of(3, 6, seed=1)
    batch = class_batch([0, 1, 2], bank, [0])
    assert DTSH(quantisation=0)(outputs, batch).item() == 0
    assert DTSH(quantisation=1)(outputs, batch).item() > 0


def test_the_bank_gets_no_gradient() -> None:
    outputs, bank = outputs_of(3, 6).requires_grad_(), outputs_of(7, 6, seed=1).requires_grad_()
    DTSH()(outputs, class_batch(LABELS, bank, ROWS)).backward()
    assert outputs.grad is not None
    assert torch.any(outputs.grad != 0)
    assert bank.grad is None
