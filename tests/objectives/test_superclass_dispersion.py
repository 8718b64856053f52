"""Dispersion with superclasses against its definition, pair by pair."""

from itertools import combinations

import numpy as np
import pytest
import torch

from evenrank.objectives.superclass_dispersion import SuperclassDispersion
from tests.objectives.examples import class_batch, outputs_of, superclass_batch

LABELS = [(0, 0), (0, 0), (0, 1), (1, 2), (1, 3), (1, 2), (2, 4)]


def outside(distance: float, inner: float, outer: float) -> float:
    return max(inner - distance, 0) + max(distance - outer, 0)


def by_definition(outputs: np.ndarray, margin: float, both: bool) -> float:
    items, bits = outputs.shape
    total = 0.0
    for one, other in combinations(range(items), 2):
        distance = np.abs(outputs[one] - outputs[other]).sum()
        same_superclass, same_class = (LABELS[one][part] == LABELS[other][part] for part in (0, 1))
        total += outside(distance, bits / 12, bits / 6) / 2 if same_class else 0
        total += outside(distance, bits / 6, bits / 3) / 2 if same_superclass and (both or not same_class) else 0
        total += 0 if same_superclass else max(margin - distance, 0) / 2
    return float(total / (items * (items - 1)) + 0.01 * np.abs(np.abs(outputs) - 1).sum() / items)


@pytest.mark.parametrize("pairs", ["all", "different"])
@pytest.mark.parametrize(("margin", "bits"), [("paper", 2), ("consistent", 1)])
def test_it_is_the_loss_over_pairs(pairs: str, margin: str, bits: int) -> None:
    outputs = outputs_of(7, 12) / 4
    value = SuperclassDispersion(margin=margin, superclass_pairs=pairs)(outputs, superclass_batch(LABELS))
    assert value.item() == pytest.approx(by_definition(outputs.numpy(), bits * 12, pairs == "all"), abs=1e-12)


def test_two_items_of_a_class_settle_at_a_sixth_of_the_bits_only_as_printed() -> None:
    apart = torch.ones(2, 24)
    apart[1, 0] = -1  # L1 distance 2 = b/12
    batch = superclass_batch([(0, 0), (0, 0), (1, 1), (0, 2)], rows=[0, 1])
    assert SuperclassDispersion(superclass_pairs="different")(apart, batch).item() == 0
    assert SuperclassDispersion(superclass_pairs="all")(apart, batch).item() > 0


def test_other_levels_are_refused() -> None:
    with pytest.raises(ValueError, match=r"must be 0, 1 .* and 2 .*; got \[0, 1\]"):
        SuperclassDispersion()(outputs_of(3, 4), class_batch([0, 0, 1]))
