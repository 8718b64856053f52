"""The loop: it learns, validates, stops, restores the best, and is the same however batches are cut."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from evenrank.augmentation import PaddedCrop
from evenrank.continuation import Continuation
from evenrank.dataset import dataset
from evenrank.objectives.dpsh import DPSH
from evenrank.objectives.tie_aware_ap import TieAwareAP
from evenrank.relevance import SameLabel
from evenrank.training import Training, Validation, encode, linear, train
from tests.training.problem import LABELS, POINTS, RELEVANCE, SETTINGS, VALIDATION, Linked, network, trained, weights


def test_linear_hash_functions_learn_digits() -> None:
    digits = dataset("digits")
    points, labels = (digits.modalities["image"] - 8) / 16, digits.labels  # type: ignore[operator]
    rest, rows = slice(1000, None), slice(0, 1000)
    validation = Validation(
        queries=points[rest], database=points[rows], relevance=SameLabel(labels[rest], labels[rows])
    )
    model = linear(64, 16, seed=0)
    before = validation.measure(model, None)["AP"]
    settings = Training(epochs=4, batch=125, learning_rate=0.1)
    history = train(
        model,
        TieAwareAP(),
        points[rows],
        SameLabel(labels[rows], labels[rows]),
        settings=settings,
        validation=validation,
    )
    values = [check.metrics["AP"] for check in history.checks]
    assert before < 0.3 < values[0] < values[-1]
    assert values[-1] > 0.45
    assert np.mean(history.losses[-8:]) < np.mean(history.losses[:8]) - 0.2


def test_training_stops_after_patience_and_restores_the_best() -> None:
    wild = replace(SETTINGS, epochs=40, learning_rate=3.0, patience=2, iterations=1)
    model = network()
    history = trained(model, wild, validation=VALIDATION)
    assert history.best is not None
    assert history.stale == 2
    assert len(history.checks) == history.checks[-1].epoch < 40
    assert history.checks[-1].metrics["AP"] < history.best.metrics["AP"]
    assert VALIDATION.measure(model, None) == history.best.metrics
    assert list(history.best.metrics) == ["AP", "P@5"]


def test_checks_come_at_their_interval_and_at_the_end() -> None:
    history = trained(network(), replace(SETTINGS, epochs=5, check=2), validation=VALIDATION)
    assert [check.epoch for check in history.checks] == [2, 4, 5]


def test_embeddings_are_validated_by_cosine() -> None:
    validation = replace(VALIDATION, queries=POINTS, database=POINTS, relevance=RELEVANCE, kind="embeddings")
    model = network()
    excluded = replace(validation, exclude_self=True)
    assert excluded.measure(model, None)["AP"] < validation.measure(model, None)["AP"]
    assert trained(model, validation=excluded).best is not None


def test_the_bank_holds_the_latest_outputs() -> None:
    objective, model = Linked(banked=True), network()
    start = encode(network(), POINTS)
    trained(model, replace(SETTINGS, epochs=1, iterations=3), objective=objective)
    expected = torch.from_numpy(start)
    for batch, outputs, stored in objective.seen:
        torch.testing.assert_close(stored, expected)
        expected[batch.rows] = outputs
        assert batch.bank.levels.shape == (20, 60)
    assert len(objective.seen) == 3


def test_balanced_batches_reach_the_objective_with_their_labels() -> None:
    objective = Linked()
    trained(network(), replace(SETTINGS, batches="balanced", members=4), objective=objective)
    for batch, _, _ in objective.seen:
        assert np.unique(batch.labels.numpy(), return_counts=True)[1].tolist() == [4] * 5
        assert torch.equal(batch.labels, torch.from_numpy(LABELS)[batch.rows])


def test_continuation_sets_alpha_before_every_step() -> None:
    objective, schedule = TieAwareAP(), Continuation.geometric(end=5.0, steps=6)
    alphas: list[float] = []
    objective.register_forward_pre_hook(lambda module, given: alphas.append(module.alpha))  # type: ignore[arg-type]
    trained(network(), replace(SETTINGS, epochs=2), objective=objective, continuation=schedule)
    assert alphas == [schedule.alpha(step) for step in range(6)]
    with pytest.raises(ValueError, match="Linked is not one"):
        trained(network(), objective=Linked(), continuation=schedule)


def test_an_objective_with_a_bank_learns() -> None:
    losses = trained(network(), replace(SETTINGS, epochs=10), objective=DPSH()).losses
    assert losses[-1] < 0.8 * losses[0]


def test_progress_tells_loss_metric_and_time_left() -> None:
    said: list[tuple[int, int, str]] = []
    history = trained(network(), validation=VALIDATION, progress=lambda *what: said.append(what))
    assert (said[0][:2], said[-1][:2]) == ((1, 9), (9, 9))
    loss, metric, left = said[-1][2].split(", ")
    assert loss == f"loss {history.losses[-1]:.4f}"
    assert metric == f"AP {history.checks[-1].metrics['AP']:.4f}"
    assert left == "0:00:00 left"


def test_the_same_seed_gives_the_same_and_leaves_the_global_generators_alone() -> None:
    models = [network(dropout=0.5) for _ in range(3)]
    torch.manual_seed(1)
    np.random.seed(1)
    expected = torch.rand(1), np.random.rand()
    torch.manual_seed(1)
    np.random.seed(1)
    trained(models[0])
    linear(4, 2, 0)
    assert (torch.rand(1), np.random.rand()) == expected
    trained(models[1])
    trained(models[2], replace(SETTINGS, seed=1))
    np.testing.assert_array_equal(weights(models[0]), weights(models[1]))
    assert (weights(models[0]) != weights(models[2])).any()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: train(network(), TieAwareAP(), POINTS[:9], RELEVANCE),
            "relevance must be between all 9 training items",
        ),
        (lambda: trained(network(), augmentation=PaddedCrop()), "augmentation is for images; got features"),
        (lambda: trained(nn.Flatten()), "model must have parameters"),
        (
            lambda: trained(nn.Sequential(network(), nn.Unflatten(1, (2, 4)))),
            r"must return \(items, dimensions\) for 20",
        ),
        (lambda: encode(network(), LABELS), "items must be float features or uint8 images; got torch.int64 of 1 axes"),
        (
            lambda: encode(network(), np.array(["a"], np.dtypes.StringDType())),
            "float features or uint8 images; got String",
        ),
        (lambda: replace(VALIDATION, relevance=RELEVANCE), r"relevance of Validation must be of shape \(20, 40\)"),
        (lambda: replace(VALIDATION, kind="signs"), "kind of Validation must be one of codes, embeddings"),
        (
            lambda: trained(
                network(),
                validation=replace(VALIDATION, relevance=SameLabel(np.full(20, 9), LABELS[:40])),
            ),
            "AP of Validation must be defined for at least one query",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        call()


def test_labels_must_be_numbers_one_an_item() -> None:
    for labels in (LABELS[:5], LABELS.astype(str)):
        with pytest.raises(ValueError, match="labels must be 60 class numbers or rows of bool"):
            train(network(), TieAwareAP(), POINTS, RELEVANCE, labels=labels)
