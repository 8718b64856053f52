from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from evenrank.methods.crossmedia import mmnn
from evenrank.methods.crossmedia.mmnn import MMNN
from tests.methods.crossmedia.hard_items import HARD, outputs
from tests.methods.crossmedia.two_modalities import average_precision, encoded, items

SMALL = {"epochs": 5}


def literal_loss(
    layers: np.ndarray, image: np.ndarray, text: np.ndarray, similar: np.ndarray, margin: float, within: float
) -> float:
    """Return the loss pair by pair."""
    width = image.shape[2]
    weights = layers.reshape(width + text.shape[2], -1)
    u, v = np.tanh(image @ weights[:width]), np.tanh(text @ weights[width:])
    total = 0.0
    for weight, first, second in ((1, u[0], v[1]), (within, u[0], u[1]), (within, v[0], v[1])):
        for one, other, alike in zip(first, second, similar, strict=True):
            distance = np.sqrt(np.square(one - other).sum())
            total += weight * (distance**2 if alike else max(0, margin - distance) ** 2) / 2
    return total


@pytest.mark.parametrize("margin", [0.5, 5.0])
def test_the_loss_is_that_of_the_formula_and_the_slope_its_gradient(margin: float) -> None:
    random = np.random.default_rng(0)
    image, text = random.normal(size=(2, 9, 5)), random.normal(size=(2, 9, 4))
    batch = (image, text, np.arange(9) % 3 == 0, margin, 0.7)
    layers = 0.3 * random.normal(size=27)  # 3 bits
    loss, slope = mmnn._loss(layers, *batch)
    assert loss == pytest.approx(literal_loss(layers, *batch), rel=1e-12)
    np.testing.assert_allclose(slope, approx_fprime(layers, literal_loss, 1e-7, *batch), atol=1e-4)


@pytest.mark.filterwarnings("error")
def test_a_dissimilar_pair_at_distance_0_has_no_direction() -> None:
    same = np.ones((4, 3))
    loss, slope = mmnn._contrast(same, same, np.array([True, False, False, True]), 5.0)
    assert loss == 25
    assert not slope.any()


def test_the_loss_falls() -> None:
    data = items(150)
    losses = MMNN(bits=8, epochs=10, batches=5).fit(data.x, data.labels).losses_
    assert losses.shape == (10,)
    assert losses[-3:].mean() < 0.9 * losses[0]


def test_items_of_a_class_get_close_codes_and_others_far_ones() -> None:
    data = items(150, noise=0.2)
    image, text = (each.astype(int) for each in encoded(MMNN(**SMALL).fit(data.x, data.labels), data).values())
    same = np.equal.outer(data.labels, data.labels)
    for products in (image @ text.T, image @ image.T, text @ text.T):
        assert products[same].mean() > products[~same].mean() + 8  # of 16 bits, which agree on 16 at most


def test_items_that_share_one_of_several_labels_are_similar() -> None:
    data = items(150, noise=0.2)
    labels = np.array([[1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 0]], bool)[data.labels]
    image, text = (each.astype(int) for each in encoded(MMNN(**SMALL).fit(data.x, labels), data).values())
    shared = labels.astype(int) @ labels.T > 0
    assert (image @ text.T)[shared].mean() > (image @ text.T)[~shared].mean() + 4


def test_a_code_does_not_depend_on_the_distance_from_the_mean() -> None:
    data = items(100)
    method = MMNN(**SMALL).fit(data.x, data.labels)
    for modality, features in data.x.items():
        mean = features.mean(axis=0)
        farther = method.transform(mean + 3 * (features - mean), modality)
        assert (farther == method.transform(features, modality)).mean() > 0.999
        assert np.isfinite(method.transform(mean[None], modality)).all()


def test_a_seed_gives_the_start_and_the_pairs() -> None:
    data = items(60)
    first, again, other = (
        MMNN(epochs=1, batches=2, seed=seed).fit(data.x, data.labels).layers_["image"] for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


def test_a_batch_has_the_pairs_asked_for_or_nearly_half_of_the_items(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, loss = [], mmnn._loss
    monkeypatch.setattr(mmnn, "_loss", lambda layers, *batch: sizes.append(len(batch[2])) or loss(layers, *batch))
    data = items(100)
    for batch in (None, 7, 1000):
        MMNN(epochs=1, batches=1, iterations=1, batch=batch).fit(data.x, data.labels)
    assert sorted(set(sizes)) == [7, 45, 100]


def test_a_single_class_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^labels of MMNN must be of at least two classes; got 1$"):
        MMNN().fit(items(40).x, np.zeros(40, int))


@pytest.mark.parametrize("case", HARD)
def test_hard_items_are_learned_without_a_warning(case: str) -> None:
    assert outputs(MMNN(bits=70, epochs=1), HARD[case])["text"].shape[1] == 70


def test_images_find_texts_of_their_class_and_texts_images() -> None:
    assert min(average_precision(MMNN(**SMALL)).values()) > 0.6
