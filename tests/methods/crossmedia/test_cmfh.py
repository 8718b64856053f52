from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.crossmedia.cmfh import CMFH
from tests.methods.crossmedia.hard_items import HARD, outputs
from tests.methods.crossmedia.two_modalities import Items, average_precision, encoded, items


def squares(matrix: np.ndarray) -> float:
    return float(np.linalg.norm(matrix) ** 2)


def literal(
    data: Items, bits: int, turns: int, seed: int, share: float = 0.5, mu: float = 100, gammas: tuple[float, ...] = ()
) -> tuple[list[float], dict[str, np.ndarray]]:
    """Return the objectives and the bits, by the equations as the paper has them: columns are items."""
    gamma = 0.01
    u1_gamma, u2_gamma, p_gamma = gammas or (gamma / share, gamma / (1 - share), gamma / mu)
    x1, x2 = ((each - each.mean(axis=0)).T for each in (data.image, data.text))
    random = np.random.default_rng(seed)
    y, p1, p2 = (random.random((size, bits)).T for size in (x1.shape[1], len(x1), len(x2)))
    objective, one = [], np.eye(bits)
    for _ in range(turns):
        u1 = x1 @ y.T @ np.linalg.inv(y @ y.T + u1_gamma * one)
        u2 = x2 @ y.T @ np.linalg.inv(y @ y.T + u2_gamma * one)
        pulled = share * u1.T @ x1 + (1 - share) * u2.T @ x2 + mu * (p1 @ x1 + p2 @ x2)
        y = np.linalg.inv(share * u1.T @ u1 + (1 - share) * u2.T @ u2 + (2 * mu + gamma) * one) @ pulled
        p1 = y @ x1.T @ np.linalg.inv(x1 @ x1.T + p_gamma * np.eye(len(x1)))
        p2 = y @ x2.T @ np.linalg.inv(x2 @ x2.T + p_gamma * np.eye(len(x2)))
        sides = [(share, x1, u1, p1), (1 - share, x2, u2, p2)]
        error = sum(part * squares(x - u @ y) + mu * squares(y - p @ x) for part, x, u, p in sides)
        objective.append(error + gamma * sum(map(squares, (u1, u2, y, p1, p2))))
    thresholds = y.mean(axis=1, keepdims=True)
    return objective, {"image": (p1 @ x1 > thresholds).T, "text": (p2 @ x2 > thresholds).T}


@pytest.mark.parametrize("data", [items(60), items(25, image=50, text=8)], ids=["tall", "wide"])
@pytest.mark.parametrize("share", [0.5, 0.2])
def test_turns_are_those_of_the_equations_as_they_are_written(data: Items, share: float) -> None:
    method = CMFH(bits=7, balance=share, iterations=4, tolerance=0, seed=3).fit(data.x)
    objective, bits = literal(data, 7, 4, seed=3, share=share)
    np.testing.assert_allclose(method.objective_, objective, rtol=1e-6)
    for modality, found in encoded(method, data).items():
        assert ((found > 0) == bits[modality]).mean() > 0.99  # a value at its threshold may round to either side


def test_released_updates_have_one_weight_everywhere() -> None:
    data = items(60)
    method = CMFH(bits=7, updates="released", iterations=4, tolerance=0).fit(data.x)
    np.testing.assert_allclose(method.objective_, literal(data, 7, 4, seed=0, gammas=(0.01,) * 3)[0], rtol=1e-6)


def test_the_objective_never_rises_but_with_released_updates() -> None:
    x = {modality: 0.02 * features for modality, features in items(150).x.items()}
    objective, released = (
        CMFH(bits=8, updates=updates, iterations=60, tolerance=0).fit(x).objective_ for updates in ("exact", "released")
    )
    assert len(objective) == 60
    assert (np.diff(objective) < 0).all()
    assert objective[-1] < 0.1 * objective[0]
    assert released[-1] > released[-2]


def test_it_ends_when_a_turn_gains_too_little() -> None:
    data = items(80).x
    objective = CMFH(bits=4, tolerance=0.01).fit(data).objective_
    gains = -np.diff(objective) / objective[:-1]
    assert (gains[:-1] > 0.01).all()
    assert gains[-1] <= 0.01


def test_bits_of_the_training_items_are_balanced() -> None:
    data = items(200)
    for bits in encoded(CMFH(bits=8).fit(data.x), data).values():
        np.testing.assert_allclose((bits > 0).mean(axis=0), 0.5, atol=0.2)


@pytest.mark.parametrize("case", HARD)
def test_hard_items_are_learned_without_a_warning(case: str) -> None:
    assert outputs(CMFH(bits=70), HARD[case])["text"].shape[1] == 70


def test_images_find_texts_of_their_class_and_texts_images() -> None:
    assert min(average_precision(CMFH()).values()) > 0.5
