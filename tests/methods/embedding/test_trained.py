"""What all trained embeddings share: paper 5's settings, validation, labels, and a state of plain arrays."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from evenrank.catalog import entries
from evenrank.embeddings import Embeddings
from evenrank.method import load
from evenrank.methods.embedding._trained import Trained
from evenrank.methods.embedding.arcface import ArcFace
from evenrank.methods.embedding.contrastive import Contrastive
from evenrank.methods.embedding.fast_ap import FastAP
from evenrank.methods.embedding.nt_xent import NTXent
from evenrank.methods.embedding.pretrained_pca import PretrainedPCA
from evenrank.objectives.metric_learning.contrastive import Contrastive as Loss
from evenrank.objectives.metric_learning.margin import Margin as MarginLoss
from evenrank.relevance import SameLabel, SharedLabels
from evenrank.training import Training, Validation, encode, linear, train
from evenrank.training.optimiser import optimiser_of
from tests.methods.embedding.learning import ANSWERS, QUERIES, VALUES, X, Y, found

TRAINED = [entry.name for entry in entries("methods") if entry.name.startswith("embedding/")]
TRAINED.remove("embedding/pretrained_pca")
TWO_LAYERS = "module:tests.methods.embedding.test_trained:two_layers"
SEVERAL = (Y[:, None] % [2, 3, 5, 7]) == 0  # labels of which an item has any number
DRAW = np.random.default_rng(0)
COLOURS = np.arange(24) % 3
IMAGES = (DRAW.integers(0, 120, (24, 32, 32, 3)) + 50 * np.eye(3, dtype=int)[COLOURS][:, None, None, :]).astype(
    np.uint8
)


def two_layers(outputs: int) -> nn.Module:
    """Return a network of one's own."""
    return nn.Sequential(nn.Linear(32, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, outputs))


def small(**keywords: Any) -> Contrastive:
    return Contrastive(**{"dimensions": 8, "epochs": 2, "iterations": 10, **keywords})


def trained(name: str) -> Trained:
    [entry] = [entry for entry in entries("methods") if entry.name == name]
    method: Trained = entry.load()(dimensions=8, epochs=1, iterations=2)
    return method


def test_it_is_the_loop_on_standardised_features_with_the_settings_of_paper_5() -> None:
    mean, deviation = X.mean(axis=0, dtype=np.float64), np.sqrt(X.var(axis=0, dtype=np.float64).mean())
    model = linear(X.shape[1], 8, seed=3)
    settings = Training(
        epochs=2,
        iterations=10,
        batch=32,
        batches="balanced",
        members=4,
        optimiser="rmsprop",
        learning_rate=1e-3,
        momentum=0.9,
        weight_decay=1e-4,
        seed=3,
    )
    loss = Loss(negative_margin=0.9)
    history = train(
        model, loss, ((X - mean) / deviation).astype(np.float32), SameLabel(Y, Y), labels=Y, settings=settings
    )
    method = small(negative_margin=0.9, learning_rate=1e-3, seed=3).fit(X, Y)
    np.testing.assert_allclose(method.losses_, history.losses, rtol=1e-4)
    outputs = encode(model, ((QUERIES - mean) / deviation).astype(np.float32))
    expected = outputs / np.linalg.norm(outputs, axis=1, keepdims=True)
    np.testing.assert_allclose(method.transform(QUERIES), expected, atol=1e-4)


@pytest.mark.parametrize("name", TRAINED)
def test_losses_on_classes_see_one_item_of_a_class_and_losses_on_pairs_four(name: str) -> None:
    settings = trained(name).settings(np.arange(50))
    of_classes = ("proxy_nca", "normalised_softmax", "cosface", "arcface", "soft_triple")  # paper 5, Table 7
    assert (settings.batch, settings.members) == (32, 1 if name.endswith(of_classes) else 4)


@pytest.mark.parametrize(("cls", "classes", "members"), [(ArcFace, 10, 3), (Contrastive, 5, 6), (ArcFace, 32, 1)])
def test_a_batch_has_more_members_of_few_classes(cls: type[Trained], classes: int, members: int) -> None:
    settings = cls().settings(np.arange(classes))
    assert (settings.batch, settings.members) == (classes * members, members)


@pytest.mark.parametrize(
    ("patience", "check", "checks"), [(9, 2, 5), (14, 5, 3), (39, 20, 2), (9, 1, 10), (0, 1, 1), (None, 2, None)]
)
def test_training_ends_at_the_first_check_that_is_more_than_patience_epochs_after_the_best(
    patience: int | None, check: int, checks: int | None
) -> None:
    assert small(patience=patience, check=check).settings(Y).patience == checks


def test_held_out_items_end_training_and_the_best_state_is_kept() -> None:
    method = small(epochs=60, learning_rate=0.1).fit(X, Y, validation=(QUERIES, ANSWERS))
    checks = method.checks_["MAP@R"]
    assert len(checks) == np.argmax(checks) + 6 < 30
    assert found(method) == pytest.approx(max(checks), abs=1e-3)


def test_without_held_out_items_all_epochs_are_trained() -> None:
    method = small(epochs=3).fit(X, Y)
    assert len(method.losses_) == 30
    assert method.checks_ == {}


def test_a_validation_of_ones_own_is_taken_as_it_is() -> None:
    own = Validation(
        queries=QUERIES, database=VALUES, relevance=SameLabel(ANSWERS, np.append(Y, ANSWERS)), kind="embeddings"
    )
    assert len(small().fit(X, Y, validation=own).checks_["AP"]) == 1


@pytest.mark.parametrize(
    ("validation", "message"),
    [
        (X, r"^validation of Contrastive must be \(x, y\) or a Validation; got ndarray$"),
        ((X[:, :5], Y), r"^validation of Contrastive must have items of shape \(32,\); got \(5,\)$"),
        ((X, Y[:5]), r"^labels of Contrastive must be one row an item, 288; got shape \(5,\)$"),
        ((X, SEVERAL), r"^Contrastive needs one class an item; got a matrix of labels, \(288, 4\)$"),
    ],
)
def test_held_out_items_that_do_not_fit_are_refused(validation: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        small().fit(X, Y, validation=validation)


def test_a_second_fit_gives_the_same_bits_and_another_seed_does_not() -> None:
    first, again, other = small().fit(X, Y), small().fit(X, Y), small(seed=1).fit(X, Y)
    np.testing.assert_array_equal(first.weights_, again.weights_)
    np.testing.assert_array_equal(first.losses_, again.losses_)
    assert np.abs(first.weights_ - other.weights_).max() > 0.01


def test_fitting_leaves_the_global_generator_alone() -> None:
    before = torch.random.get_rng_state()
    ArcFace(network=TWO_LAYERS, dimensions=8, epochs=1, iterations=2).fit(X, Y)
    assert torch.equal(before, torch.random.get_rng_state())


@pytest.mark.parametrize("network", ["linear", TWO_LAYERS])
def test_a_saved_method_gives_the_same_unit_rows(network: str, tmp_path: Path) -> None:
    method = small(network=network).fit(X, Y, validation=(QUERIES, ANSWERS))
    method.save(tmp_path)
    embeddings = method.encode(QUERIES)
    assert isinstance(embeddings, Embeddings)
    assert embeddings.distance == "cosine"
    np.testing.assert_allclose(np.linalg.norm(embeddings.values, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(load(tmp_path).transform(QUERIES), embeddings.values)


def test_images_go_through_the_network_and_back_from_disk(tmp_path: Path) -> None:
    method = small(network="dsh", iterations=2).fit(IMAGES, COLOURS)
    method.save(tmp_path)
    assert method.transform(IMAGES).shape == (24, 8)
    np.testing.assert_array_equal(load(tmp_path).transform(IMAGES), method.transform(IMAGES))
    with pytest.raises(ValueError, match=r"fitted on items of shape \[32, 32, 3\]; got \[32, 30, 3\]"):
        method.encode(IMAGES[:, :, :30])


def test_a_learned_state_that_does_not_fit_the_network_is_refused() -> None:
    method = small(network=TWO_LAYERS).fit(X, Y)
    method.dimensions = 9
    with pytest.raises(ValueError, match=r"has \d+ values; \d+ were learned"):
        method.encode(X)


@pytest.mark.parametrize("name", TRAINED)
def test_items_of_several_labels_are_learned_or_refused_in_one_line(name: str) -> None:
    method = trained(name)
    if name in ("embedding/nt_xent", "embedding/fast_ap"):
        method.fit(X, SEVERAL)
        assert method.settings(SEVERAL).batches == "labelled"
    else:
        with pytest.raises(ValueError, match=rf"^{type(method).__name__} needs one class an item; got a matrix"):
            method.fit(X, SEVERAL)


@pytest.mark.parametrize("cls", [NTXent, FastAP])
def test_held_out_items_of_several_labels_search_those_that_share_one(cls: type[Trained]) -> None:
    method = cls(dimensions=8, epochs=2, iterations=10).fit(X, SEVERAL, validation=(X, SEVERAL))
    own = Validation(
        queries=X,
        database=X,
        relevance=SharedLabels(SEVERAL, SEVERAL),
        metrics=("MAP@R",),
        kind="embeddings",
        exclude_self=True,
    )
    again = cls(dimensions=8, epochs=2, iterations=10).fit(X, SEVERAL, validation=own)
    assert method.checks_["MAP@R"] == again.checks_["MAP@R"]


@pytest.mark.parametrize("labels", [np.zeros(len(X), int), np.ones((len(X), 1), bool)])
def test_a_single_class_is_refused(labels: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"^labels of FastAP must be of two classes or more; got 1$"):
        FastAP().fit(X, labels)


def test_relevance_in_the_place_of_labels_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Contrastive needs labels, class numbers or a matrix; got SameLabel$"):
        small().fit(X, SameLabel(Y, Y))


def test_a_batch_of_a_single_class_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^batch of Contrastive must hold two classes of 4 members or more; got 7$"):
        small(batch=7).fit(X, Y)


def test_class_numbers_may_have_gaps() -> None:
    np.testing.assert_array_equal(small().fit(X, Y * 1000 - 7).weights_, small().fit(X, Y).weights_)


def test_a_linear_head_may_start_where_pca_ends() -> None:
    start = small(start="principal", learning_rate=0.0, weight_decay=0.0).fit(X, Y)
    reduced = PretrainedPCA(dimensions=8).fit(X)
    np.testing.assert_allclose(start.transform(QUERIES), reduced.transform(QUERIES), atol=1e-5)
    with pytest.raises(ValueError, match="can be principal for network 'linear'; got 'module:"):
        small(start="principal", network=TWO_LAYERS).fit(X, Y)


def test_more_outputs_than_axes_start_at_random_beyond_them() -> None:
    wide = small(start="principal", dimensions=40, learning_rate=0.0, weight_decay=0.0).fit(X, Y)
    random = small(dimensions=40, learning_rate=0.0, weight_decay=0.0).fit(X, Y)
    same = np.isclose(wide.weights_, random.weights_).all(axis=0)
    assert same.tolist() == [False] * 32 + [True] * 8


def test_every_check_says_both_metrics_and_the_first_decides() -> None:
    method = small(epochs=3, check=1, patience=None).fit(X, Y, validation=(QUERIES, ANSWERS))
    assert {name: len(values) for name, values in method.checks_.items()} == {"MAP@R": 3, "P@1": 3}
    assert found(method) == pytest.approx(max(method.checks_["MAP@R"]), abs=2e-3)


def test_weight_decay_spares_the_boundary_of_the_margin_losses() -> None:
    decays = {type(each): each.decays for each in (MarginLoss(), Loss())}
    assert decays == {MarginLoss: False, Loss: True}
    groups = optimiser_of(linear(4, 2, seed=0), MarginLoss(), Training(weight_decay=0.5)).param_groups
    assert [group["weight_decay"] for group in groups] == [0.5, 0.0]
