from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from evenrank.methods.crossmedia import seph
from evenrank.methods.crossmedia.seph import SePH
from tests.methods.crossmedia.hard_items import HARD, outputs
from tests.methods.crossmedia.two_modalities import average_precision, encoded, items

LABELS = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]], bool)
SMALL = {"iterations": 200, "anchors": 40}


def literal_affinities(labels: np.ndarray) -> np.ndarray:
    """Return P pair by pair."""
    found = np.zeros((len(labels), len(labels)))
    for i, first in enumerate(labels):
        for j, second in enumerate(labels):
            if i != j and first.any() and second.any():
                found[i, j] = (first & second).sum() / np.sqrt(first.sum() * second.sum())
    return found / found.sum()


def literal_objective(codes: np.ndarray, p: np.ndarray, weight: float) -> float:
    """Return KL(P ‖ Q) + weight ‖ |Y| − 1 ‖² pair by pair."""
    count = len(codes)
    near = [[1 / (1 + np.square(codes[i] - codes[j]).sum() / 4) for j in range(count)] for i in range(count)]
    total = sum(near[i][j] for i in range(count) for j in range(count) if i != j)
    pairs = [(p[i, j], near[i][j] / total) for i in range(count) for j in range(count) if p[i, j] > 0]
    return float(sum(a * np.log(a / q) for a, q in pairs) + weight * np.square(np.abs(codes) - 1).sum())


def test_affinities_are_cosines_of_labels() -> None:
    np.testing.assert_allclose(seph._affinities(LABELS), literal_affinities(LABELS), atol=1e-12)


def test_the_cost_is_the_divergence_and_the_entropy_and_the_slope_its_gradient() -> None:
    codes, p = np.random.default_rng(0).normal(size=(6, 3)), seph._affinities(LABELS)
    cost, slope = seph._cross_entropy(codes, p, 0.3)
    entropy = -sum(value * np.log(value) for value in p.ravel() if value > 0)
    assert cost - entropy == pytest.approx(literal_objective(codes, p, 0.3), rel=1e-12)
    numeric = approx_fprime(codes.ravel(), lambda flat: literal_objective(flat.reshape(6, 3), p, 0.3), 1e-7)
    np.testing.assert_allclose(slope.ravel(), numeric, atol=1e-5)


def test_descent_ends_near_a_minimum_and_keeps_the_best_codes() -> None:
    p = seph._affinities(np.eye(3, dtype=bool)[np.arange(30) % 3])
    costs = []
    for iterations in (20, 200, 600):
        method = SePH(bits=4, iterations=iterations, seed=1)
        codes = method._codes(p, np.random.default_rng(1))
        weight = 0.01 / codes.size
        assert method.objective_ == pytest.approx(literal_objective(codes, p, weight), abs=1e-5)
        np.testing.assert_allclose(codes.mean(axis=0), 0, atol=1e-5)
        costs.append(method.objective_)
    assert costs[0] > costs[1] + 0.1 >= costs[2] + 0.1


def test_items_of_a_class_get_one_code_and_classes_different_ones() -> None:
    data = items(120, noise=0.05)
    method = SePH(bits=16, **SMALL).fit(data.x, data.labels)
    for codes in encoded(method, data).values():
        centres = [np.median(codes[data.labels == label], axis=0) for label in range(4)]
        assert np.mean(codes == np.array(centres)[data.labels]) > 0.97
        assert len(np.unique(centres, axis=0)) == 4
    image, text = encoded(method, data).values()
    assert (image == text).mean() > 0.95


def test_items_with_more_labels_in_common_are_closer() -> None:
    data = items(120, noise=0.05)
    codes = SePH(**SMALL).fit(data.x, LABELS[[0, 1, 2, 4]][data.labels]).transform(data.image, "image").astype(int)
    products = [[np.mean(codes[data.labels == a] @ codes[data.labels == b].T) for b in range(4)] for a in range(4)]
    assert products[0][1] > products[0][2] + 1  # labels {0} and {0, 1}; {0} and {1}
    assert products[1][2] > products[1][3] + 1


def test_codes_follow_the_labels_of_the_items_that_are_drawn() -> None:
    """Paper 4's code took the labels of the first items instead, and its results are chance."""
    data = items(200, noise=0.2)
    method = SePH(bits=8, sample=80, **SMALL).fit(data.x, data.labels)
    codes = method.transform(data.text, "text").astype(int)
    same = np.equal.outer(data.labels, data.labels)
    products = codes @ codes.T
    assert products[same].mean() > products[~same].mean() + 4


def test_a_seed_draws_the_sample() -> None:
    data = items(120)
    first, again, other = (
        SePH(iterations=20, anchors=20, sample=60, seed=seed).fit(data.x, data.labels).weights_["text"]
        for seed in (0, 0, 1)
    )
    np.testing.assert_allclose(first, again)
    assert not np.allclose(first, other)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.zeros(40, int), "labels of SePH must be of at least two classes; got 1"),
        (np.arange(40), "labels of SePH must be shared by some items; each of 40 has its own"),
    ],
)
def test_labels_that_say_nothing_are_refused(labels: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        SePH(**SMALL).fit(items(40).x, labels)


@pytest.mark.parametrize("case", HARD)
def test_hard_items_are_learned_without_a_warning(case: str) -> None:
    assert outputs(SePH(**SMALL), HARD[case])["text"].shape[1] == 16


def test_images_find_texts_of_their_class_and_texts_images() -> None:
    assert min(average_precision(SePH(**SMALL)).values()) > 0.6
