from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.crossmedia.lcfs import LCFS
from tests.methods.crossmedia.hard_items import HARD, outputs
from tests.methods.crossmedia.two_modalities import average_precision, items

SMOOTHING = 1e-7


def one_hot(y: np.ndarray) -> np.ndarray:
    return np.eye(y.max() + 1)[y]


def literal(x: dict[str, np.ndarray], y: np.ndarray, iterations: int, l1: float, l2: float) -> list[np.ndarray]:
    """Return U of both modalities by the updates as they are written, with S (items, items)."""
    views, targets = list(x.values()), one_hot(y)
    maps = [np.eye(view.shape[1], targets.shape[1]) for view in views]
    penalties = [np.eye(view.shape[1]) for view in views]
    for _ in range(iterations):
        spread = sum(view @ each @ each.T @ view.T for view, each in zip(views, maps, strict=True))
        values, vectors = np.linalg.eigh(spread + SMOOTHING * np.eye(len(y)))
        inverse = vectors @ np.diag(values**-0.5) @ vectors.T
        for number, view in enumerate(views):
            system = view.T @ view + l1 * penalties[number] + l2 * view.T @ inverse @ view
            maps[number] = np.linalg.inv(system) @ view.T @ targets
            rows = np.square(maps[number]).sum(axis=1)
            penalties[number] = np.diag(1 / (2 * np.sqrt(rows + SMOOTHING)))
    return maps


def objective(method: LCFS, x: dict[str, np.ndarray], y: np.ndarray) -> float:
    """Return what is minimised, both norms smoothed."""
    results = [features @ method.weights_[modality] for modality, features in x.items()]
    error = sum(np.square(result - one_hot(y)).sum() for result in results) / 2
    rows = sum(np.sqrt(np.square(each).sum(axis=1) + SMOOTHING).sum() for each in method.weights_.values())
    singular = np.linalg.svd(np.hstack(results), compute_uv=False)
    return float(error + method.sparsity / 2 * rows + method.coupling * np.sqrt(singular**2 + SMOOTHING).sum())


@pytest.mark.parametrize("iterations", [1, 2, 5])
def test_turns_are_those_of_the_updates_as_they_are_written(iterations: int) -> None:
    data = items(60)
    x, y = data.x, data.labels
    weights = LCFS(sparsity=0.5, coupling=0.02, iterations=iterations).fit(x, y).weights_
    for found, expected in zip(weights.values(), literal(x, y, iterations, 0.5, 0.02), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def test_the_objective_never_rises_and_ends_at_a_minimum() -> None:
    data = items(60)
    x, y = data.x, data.labels
    turns = [LCFS(sparsity=20.0, coupling=0.5, iterations=turn).fit(x, y) for turn in (*range(1, 15), 3000)]
    values = [objective(each, x, y) for each in turns]
    assert (np.diff(values) <= 1e-9 * values[0]).all()
    assert values[-1] < 0.99 * values[0]
    random = np.random.default_rng(0)
    for _ in range(20):
        nearby = LCFS(sparsity=20.0, coupling=0.5)
        nearby.weights_ = {
            key: each + 1e-3 * random.standard_normal(each.shape) for key, each in turns[-1].weights_.items()
        }
        assert objective(nearby, x, y) > values[-1]


def test_sparsity_drops_features_that_say_nothing() -> None:
    data = items(120)
    x, y = data.x, data.labels
    noise = np.random.default_rng(3).standard_normal((len(y), 5))
    wider = {**x, "image": np.hstack([x["image"], noise])}
    rows = np.linalg.norm(LCFS(sparsity=200.0, iterations=200).fit(wider, y).weights_["image"], axis=1)
    assert rows[:9].max() > 1e-2
    assert rows[9:].max() < 1e-4


def test_an_item_of_several_classes_has_them_all_as_its_target() -> None:
    x = items(120).x
    labels = np.random.default_rng(0).random((120, 3)) < 0.5
    weights = LCFS(sparsity=1e-9, coupling=0.0).fit(x, labels).weights_
    expected = np.linalg.lstsq(x["text"], labels.astype(float), rcond=None)[0]
    np.testing.assert_allclose(weights["text"], expected, atol=1e-8)


def test_a_single_class_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^labels of LCFS must be of at least two classes; got 1$"):
        LCFS().fit(items(120).x, np.zeros(120, int))


@pytest.mark.parametrize("case", HARD)
def test_hard_items_are_learned_without_a_warning(case: str) -> None:
    data = HARD[case]
    assert outputs(LCFS(), data)["text"].shape == (len(data.labels), len(set(data.labels)))


def test_images_find_texts_of_their_class() -> None:
    assert min(average_precision(LCFS()).values()) > 0.6
