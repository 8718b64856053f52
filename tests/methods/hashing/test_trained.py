"""What all gradient-trained methods share: the network, validation, and a state of plain arrays."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from evenrank.evaluate import evaluate
from evenrank.method import load
from evenrank.methods.hashing.dsh import DSH
from evenrank.methods.hashing.talr_ap import TALRAP
from evenrank.relevance import SameLabel
from evenrank.training import Validation
from tests.methods.hashing.trained import ANSWERS, QUERIES, X, Y

DRAW = np.random.default_rng(0)
CLASSES = np.arange(48) % 3
IMAGES = (DRAW.integers(0, 120, (48, 32, 32, 3)) + 50 * np.eye(3, dtype=int)[CLASSES][:, None, None, :]).astype(
    np.uint8
)


def two_layers(bits: int) -> nn.Module:
    """Return a network of one's own for digits."""
    return nn.Sequential(nn.Linear(64, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, bits))


def small(**keywords: Any) -> TALRAP:
    return TALRAP(**{"bits": 12, "epochs": 2, **keywords})


def test_a_second_fit_gives_the_same_bits_and_another_seed_does_not() -> None:
    first, again, other = small().fit(X, Y), small().fit(X, Y), small(seed=1).fit(X, Y)
    np.testing.assert_array_equal(first.weights_, again.weights_)
    np.testing.assert_array_equal(first.losses_, again.losses_)
    assert (first.transform(QUERIES) != other.transform(QUERIES)).mean() > 0.2


def test_fitting_leaves_the_global_generator_alone() -> None:
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    small(network="module:tests.methods.hashing.test_trained:two_layers").fit(X, Y)
    assert torch.equal(before, torch.random.get_rng_state())


def test_held_out_items_end_training_and_the_best_state_is_kept() -> None:
    method = small(epochs=60, learning_rate=20.0, patience=2).fit(X, Y, validation=(QUERIES, ANSWERS))
    best = int(np.argmax(method.checks_))
    assert len(method.checks_) == best + 3 < 60
    codes = method.encode(QUERIES)
    found = evaluate(codes, codes, SameLabel(ANSWERS, ANSWERS), ["AP"], exclude_self=True)
    assert found.mean["AP"] == pytest.approx(max(method.checks_), abs=2e-3)


def test_a_validation_of_ones_own_is_taken_as_it_is() -> None:
    own = Validation(queries=QUERIES, database=X, relevance=SameLabel(ANSWERS, Y), metrics=("P@5",))
    method = small().fit(X, Y, validation=own)
    assert len(method.checks_) == 2


@pytest.mark.parametrize(
    ("validation", "message"),
    [
        (X, "must be \\(x, y\\) or a Validation; got ndarray"),
        ((X[:, :5], Y), "must have items of shape \\(64,\\); got \\(5,\\)"),
        ((X, Y[:5]), "must be one row an item, 800"),
    ],
)
def test_held_out_items_that_do_not_fit_are_refused(validation: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        small().fit(X, Y, validation=validation)


@pytest.mark.parametrize("network", ["linear", "module:tests.methods.hashing.test_trained:two_layers"])
def test_a_saved_method_gives_the_same_codes(network: str, tmp_path: Path) -> None:
    method = small(network=network).fit(X, Y, validation=(QUERIES, ANSWERS))
    method.save(tmp_path)
    np.testing.assert_array_equal(load(tmp_path).encode(QUERIES).packed, method.encode(QUERIES).packed)


def test_images_go_through_the_network_and_back_from_disk(tmp_path: Path) -> None:
    method = DSH(bits=8, network="dsh", epochs=4, batch=16, learning_rate=0.02).fit(IMAGES, CLASSES)
    assert method.losses_[-3:].mean() < method.losses_[:3].mean()
    method.save(tmp_path)
    codes = method.encode(IMAGES)
    assert codes.packed.shape == (48, 1)
    np.testing.assert_array_equal(load(tmp_path).encode(IMAGES).packed, codes.packed)


def test_a_learned_state_that_does_not_fit_the_network_is_refused() -> None:
    method = small(network="module:tests.methods.hashing.test_trained:two_layers").fit(X, Y)
    method.bits = 13
    with pytest.raises(ValueError, match=r"has \d+ values; \d+ were learned"):
        method.encode(X)


def test_items_of_another_shape_are_refused() -> None:
    method = DSH(bits=8, network="dsh", epochs=1).fit(IMAGES, CLASSES)
    with pytest.raises(ValueError, match=r"fitted on items of shape \[32, 32, 3\]; got \[32, 30, 3\]"):
        method.encode(IMAGES[:, :, :30])


def test_a_network_for_images_refuses_features_and_the_other_way_round() -> None:
    with pytest.raises(ValueError, match="network 'dsh' takes images; got items of shape"):
        small(network="dsh").fit(X, Y)
    with pytest.raises(ValueError, match="network 'linear' takes features; got items of shape"):
        small().fit(IMAGES, CLASSES)


def test_features_that_are_all_the_same_are_refused() -> None:
    with pytest.raises(ValueError, match="must differ between items"):
        small().fit(np.ones((20, 4)), np.arange(20) % 2)


@pytest.mark.parametrize(("epochs", "stages", "starts"), [(50, 1, ()), (50, 5, (10, 20, 30, 40)), (2, 5, (1, 2))])
def test_stages_are_of_equal_length(epochs: int, stages: int, starts: tuple[int, ...]) -> None:
    assert small(epochs=epochs, stages=stages).settings(64).milestones == starts


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no CUDA device"):
        small(device="cuda").fit(X, Y)
