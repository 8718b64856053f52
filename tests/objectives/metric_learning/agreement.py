"""What the tests of this folder share: a loss against its plain definition, and batches that say nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import torch

from evenrank.objective import Objective
from tests.objectives.examples import class_batch, outputs_of

LABELS = [0, 0, 1, 1, 1, 2, 0, 3]  # two items are alone in their class
Plain = Callable[..., float]  # (unit rows, labels, *what the loss learns) -> value


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def averaged(terms: Sequence[float]) -> float:
    """Return the mean of the terms above 0, or 0."""
    counted = [term for term in terms if term > 0]
    return float(np.mean(counted)) if counted else 0.0


def positives(labels: Sequence[int], anchor: int) -> list[int]:
    return [item for item in range(len(labels)) if item != anchor and labels[item] == labels[anchor]]


def negatives(labels: Sequence[int], anchor: int) -> list[int]:
    return [item for item in range(len(labels)) if labels[item] != labels[anchor]]


def distance(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.sqrt(((x - y) ** 2).sum()))


def cross_entropy(logits: np.ndarray, own: int) -> float:
    return float(np.log(np.exp(logits - logits.max()).sum()) + logits.max() - logits[own])


def agree(objective: Objective, plain: Plain, labels: Sequence[int] = LABELS, seed: int = 0, columns: int = 4) -> None:
    """Compare value and gradients, of the outputs and of what the loss learns, with the plain version's differences."""
    outputs = outputs_of(len(labels), columns, seed).requires_grad_()
    value = objective(outputs, class_batch(labels))
    value.backward()
    learned = [outputs, *objective.parameters()]
    arrays = [tensor.detach().numpy().copy() for tensor in learned]

    def loss(*values: np.ndarray) -> float:
        return plain(unit(values[0]), labels, *values[1:])

    expected = loss(*arrays)
    assert expected > 0
    assert value.item() == pytest.approx(expected, rel=1e-9)
    for place, tensor in enumerate(learned):
        assert tensor.grad is not None
        np.testing.assert_allclose(tensor.grad.numpy(), differences(loss, arrays, place), rtol=1e-5, atol=1e-7)


def differences(loss: Plain, arrays: list[np.ndarray], place: int, step: float = 1e-6) -> np.ndarray:
    """Return the central differences of a function of several arrays, by the entries of one."""
    found = np.zeros_like(arrays[place])
    for entry in np.ndindex(found.shape):
        moved = [array.copy() for array in arrays]
        moved[place][entry] += step
        above = loss(*moved)
        moved[place][entry] -= 2 * step
        found[entry] = (above - loss(*moved)) / (2 * step)
    return found


def stay_finite(objective: Objective, columns: int = 4, silent: Sequence[str] = ()) -> None:
    """Run batches that say little; those named in `silent` must cost nothing and move nothing."""
    row = outputs_of(1, columns, seed=1)
    batches = {
        "one class": (outputs_of(4, columns), [1, 1, 1, 1]),
        "no positives": (outputs_of(3, columns), [0, 1, 2]),
        "one item": (row, [1]),
        "duplicates": (row.repeat(6, 1), [0, 0, 1, 1, 2, 2]),
        "many duplicates": (row.repeat(40, 1), [0, 1] * 20),
        "zeros": (torch.cat([torch.zeros(2, columns).double(), outputs_of(4, columns)]), [0, 1, 0, 1, 1, 0]),
        "constant rows": (torch.ones(4, columns).double(), [0, 0, 1, 1]),
    }
    for name, (outputs, labels) in batches.items():
        objective.zero_grad()
        outputs = outputs.clone().requires_grad_()
        value = objective(outputs, class_batch(labels))
        value.backward()
        gradients = [outputs.grad, *(each.grad for each in objective.parameters() if each.grad is not None)]
        assert torch.isfinite(value), name
        assert all(torch.isfinite(gradient).all() for gradient in gradients), name
        if name in silent:
            assert value.item() == 0, name
            assert all((gradient == 0).all() for gradient in gradients), name
