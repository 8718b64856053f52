"""What the losses of paper 5 share: labels, precision, what they learn, and a library that may be missing."""

import sys
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
import torch

from evenrank.catalog import entries
from evenrank.objective import Objective
from tests.objectives.examples import class_batch, label_batch, outputs_of

LOSSES = [entry for entry in entries("objectives") if entry.name.startswith("metric_learning/")]
LEARNED = [entry for entry in LOSSES if entry.constants.get("parameterised")]
LABELLED = [entry for entry in LOSSES if entry.public != "NTXent"]
SEEDED = [entry for entry in LOSSES if "seed" in entry.constants]


def made(entry: Any, **keywords: Any) -> Objective:
    sizes = {"classes": 4, "dimensions": 5}
    return entry.load()(**{name: sizes[name] for name in sizes if name in entry.constants}, **keywords)


def names(entry: Any) -> str:
    return str(entry.public)


def test_there_are_thirteen_losses() -> None:
    assert len(LOSSES) == 13
    assert len(LEARNED) == 7
    assert len(SEEDED) == 5


@pytest.mark.parametrize("entry", LABELLED, ids=names)
@pytest.mark.parametrize("batch", [label_batch([[1, 0], [1, 1], [0, 1]]), label_batch([[1], [1], [1]])])
def test_many_labels_are_refused(entry: Any, batch: Any) -> None:
    with pytest.raises(ValueError, match=r"labels of \w+ must be one class number an item; got torch.bool of shape"):
        made(entry)(outputs_of(3, 5), batch)


@pytest.mark.parametrize("entry", LABELLED, ids=names)
def test_missing_labels_are_refused(entry: Any) -> None:
    with pytest.raises(ValueError, match=r"labels of \w+ must be one class number an item; got none"):
        made(entry)(outputs_of(3, 5), replace(class_batch([0, 1, 1]), labels=None))


@pytest.mark.parametrize("entry", [entry for entry in LOSSES if "classes" in entry.constants], ids=names)
@pytest.mark.parametrize("labels", [[0, 1, 4], [-1, 0, 1]])
def test_a_class_out_of_range_is_refused(entry: Any, labels: list[int]) -> None:
    with pytest.raises(ValueError, match=r"labels of \w+ must be from 0 to 3; got"):
        made(entry)(outputs_of(3, 5), class_batch(labels))


@pytest.mark.parametrize("entry", [entry for entry in LOSSES if "dimensions" in entry.constants], ids=names)
def test_outputs_of_another_width_are_refused(entry: Any) -> None:
    with pytest.raises(ValueError, match=r"outputs of \w+ must have 5 columns; got 6"):
        made(entry)(outputs_of(3, 6), class_batch([0, 1, 1]))


@pytest.mark.parametrize("entry", LOSSES, ids=names)
def test_single_precision_outputs_give_the_value_of_double_ones(entry: Any) -> None:
    objective, batch = made(entry), class_batch([0, 0, 1, 1, 2, 3])
    single = outputs_of(6, 5).float().requires_grad_()
    value = objective(single, batch)
    value.backward()
    assert value.dtype == torch.float64
    assert single.grad is not None
    assert single.grad.dtype == torch.float32
    assert value == objective(single.detach().double(), batch)
    assert all(each.dtype == torch.float64 for each in objective.parameters())


@pytest.mark.parametrize("entry", LOSSES, ids=names)
def test_scaling_a_row_changes_nothing(entry: Any) -> None:
    objective, outputs, batch = made(entry), outputs_of(6, 5), class_batch([0, 0, 1, 1, 2, 3])
    scales = torch.tensor([[0.01], [2.0], [1.0], [100.0], [3.0], [7.0]])
    torch.testing.assert_close(objective(outputs * scales, batch), objective(outputs, batch))


@pytest.mark.parametrize("entry", LOSSES, ids=names)
def test_it_passes_gradcheck(entry: Any) -> None:
    objective, batch = made(entry), class_batch([0, 0, 1, 1, 2, 3])
    assert torch.autograd.gradcheck(lambda outputs: objective(outputs, batch), outputs_of(6, 5).requires_grad_())


@pytest.mark.parametrize("entry", LEARNED, ids=names)
def test_what_it_learns_has_a_rate_of_its_own(entry: Any) -> None:
    objective = made(entry, learning_rate=0.5)
    assert objective.learning_rate == 0.5
    assert len(list(objective.parameters())) == 1


@pytest.mark.parametrize("entry", [entry for entry in LOSSES if entry not in LEARNED], ids=names)
def test_the_others_learn_nothing(entry: Any) -> None:
    assert not list(made(entry).parameters())


@pytest.mark.parametrize("entry", SEEDED, ids=names)
def test_what_it_learns_starts_from_the_seed_alone(entry: Any) -> None:
    before = torch.get_rng_state()
    first, second, other = (next(made(entry, seed=seed).parameters()) for seed in (1, 1, 2))
    assert torch.equal(first, second)
    assert not torch.equal(first, other)
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("entry", LEARNED, ids=names)
def test_a_copy_and_a_saved_state_give_the_same_value(entry: Any) -> None:
    objective, outputs, batch = made(entry), outputs_of(6, 5), class_batch([0, 0, 1, 1, 2, 3])
    (learned,) = objective.parameters()
    learned.data += 0.1 * torch.arange(learned.numel()).view_as(learned)
    restored = made(entry)
    restored.load_state_dict(objective.state_dict())
    assert objective(outputs, batch) == deepcopy(objective)(outputs, batch) == restored(outputs, batch)


@pytest.mark.parametrize("entry", LABELLED, ids=names)
def test_a_missing_library_is_one_clear_line(entry: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("distances", "losses", "miners", "regularizers"):
        monkeypatch.setitem(sys.modules, f"pytorch_metric_learning.{module}", None)
    with pytest.raises(ValueError, match=r"needs pytorch-metric-learning: pip install 'evenrank\[train\]'$"):
        made(entry)
