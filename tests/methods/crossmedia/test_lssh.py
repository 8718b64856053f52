from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.decomposition import PCA
from sklearn.preprocessing import normalize

from evenrank.methods.crossmedia import lssh
from evenrank.methods.crossmedia._lasso import sparse_codes
from evenrank.methods.crossmedia.lssh import LSSH
from tests.methods.crossmedia.hard_items import HARD, outputs
from tests.methods.crossmedia.two_modalities import Items, average_precision, encoded, items

SMALL = {"atoms": 30, "iterations": 3}


def lasso(x: np.ndarray, dictionary: np.ndarray) -> np.ndarray:
    """Return codes of columns x by columns of a dictionary; `test_lasso` compares them with a library's."""
    return sparse_codes(x.T, dictionary.T, 0.2).T


def refit(dictionary: np.ndarray, codes: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return columns of the dictionary, one after another, by what all others leave of the target."""
    dictionary = dictionary.copy()
    for _ in range(lssh.PASSES):
        for atom in np.flatnonzero(codes.any(axis=1)):
            left = target - dictionary @ codes + np.outer(dictionary[:, atom], codes[atom])
            free = left @ codes[atom] / (codes[atom] @ codes[atom])
            dictionary[:, atom] = free / max(1, np.linalg.norm(free))
    return dictionary


def literal(data: Items, bits: int, axes: np.ndarray, mu: float, weight: float) -> tuple[list[float], list[np.ndarray]]:
    """Return objectives and bits by the paper's equations: columns are items."""
    random = np.random.default_rng(0)
    random.permutation(len(data.image))  # the sample, here of all
    images, texts = (data.image - data.image.mean(axis=0)) @ axes, data.text - data.text.mean(axis=0)
    x, t = normalize(images).T, normalize(texts).T
    shapes = ((bits, len(t)), (30, len(x)), (30, bits))
    a, b, r = (normalize(random.standard_normal(shape)).T for shape in shapes)
    s, ratio, objective = lasso(x, b), weight / mu, []
    for _ in range(3):
        y = np.linalg.solve(a.T @ a + ratio * np.eye(bits), ratio * r @ s + a.T @ t)
        a = refit(a, y, t)
        dictionary, target = np.vstack([b, np.sqrt(weight) * r]), np.vstack([x, np.sqrt(weight) * y])
        s = lasso(target, dictionary)
        penalty = 2 * 0.2 * (np.abs(dictionary.T @ target).max(axis=0) * np.abs(s).sum(axis=0)).sum()
        b, r = refit(b, s, x), refit(r, s, y)
        errors = [np.linalg.norm(each) ** 2 for each in (x - b @ s, t - a @ y, y - r @ s)]
        objective.append(errors[0] + mu * errors[1] + weight * errors[2] + penalty)
    text = np.linalg.solve(a.T @ a + ratio * np.eye(bits), a.T @ texts.T)
    return objective, [(r @ lasso(images.T, b)).T, text.T]


@pytest.mark.parametrize(("mu", "weight"), [(0.5, 1.0), (2.0, 0.3)])
def test_turns_are_those_of_the_equations_as_they_are_written(mu: float, weight: float) -> None:
    data = items(60)
    method = LSSH(bits=5, components=6, text_weight=mu, coupling=weight, **SMALL).fit(data.x)
    axes = method.weights_["image"]
    np.testing.assert_allclose(np.abs(axes), np.abs(PCA(6).fit(data.image).components_.T), atol=1e-6)
    objective, values = literal(data, 5, axes, mu, weight)
    np.testing.assert_allclose(method.objective_, objective, rtol=1e-9)
    for found, expected in zip(encoded(method, data).values(), values, strict=True):
        assert ((found > 0) == (expected > 0)).mean() > 0.99


def test_atoms_reach_the_best_of_length_one_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(0)
    codes, target = random.standard_normal((50, 4)), random.standard_normal((50, 3)) * 9
    monkeypatch.setattr(lssh, "PASSES", 200)
    found = lssh._atoms(np.zeros((4, 3)), codes, target)

    def squares(flat: np.ndarray) -> float:
        return float(np.square(target - codes @ flat.reshape(4, 3)).sum())

    within = {"type": "ineq", "fun": lambda flat: 1 - np.square(flat.reshape(4, 3)).sum(axis=1)}
    best = minimize(squares, np.zeros(12), method="SLSQP", constraints=within, options={"ftol": 1e-12}).x
    np.testing.assert_allclose(found, best.reshape(4, 3), atol=1e-4)
    assert (np.linalg.norm(found, axis=1) > 0.99).any()  # the bound matters


def test_an_atom_without_items_stays() -> None:
    codes, target = np.ones((6, 2)) * [1, 0], np.arange(12.0).reshape(6, 2)
    np.testing.assert_array_equal(lssh._atoms(np.eye(2), codes, target)[1], [0, 1])


def test_the_objective_falls() -> None:
    objective = LSSH(atoms=60, iterations=10).fit(items(200).x).objective_
    assert (np.diff(objective) < 1e-3 * objective[:-1]).all()
    assert objective[-1] < 0.95 * objective[0]


def test_a_code_does_not_depend_on_the_distance_from_the_mean() -> None:
    data = items(100)
    method = LSSH(bits=12, **SMALL).fit(data.x)
    for modality, features in data.x.items():
        mean = features.mean(axis=0)
        farther = method.transform(mean + 3 * (features - mean), modality)
        assert (farther == method.transform(features, modality)).mean() > 0.999


def test_a_sample_is_drawn_by_the_seed() -> None:
    x = items(120).x
    first, again, other = (LSSH(sample=60, seed=seed, **SMALL).fit(x).atoms_ for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


@pytest.mark.parametrize("case", HARD)
def test_hard_items_are_learned_without_a_warning(case: str) -> None:
    assert outputs(LSSH(bits=70, **SMALL), HARD[case])["text"].shape[1] == 70


def test_images_find_texts_of_their_class_and_texts_images() -> None:
    assert min(average_precision(LSSH(atoms=100)).values()) > 0.4
