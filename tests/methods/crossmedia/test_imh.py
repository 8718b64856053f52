from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

from evenrank.methods.crossmedia.imh import IMH
from tests.methods.crossmedia.hard_items import HARD, assert_same_directions, outputs
from tests.methods.crossmedia.two_modalities import average_precision, items


def laplacian(x: np.ndarray, neighbours: int) -> np.ndarray:
    distances, graph = np.square(x[:, None] - x[None]).sum(axis=2), np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in sorted(set(range(len(x))) - {i}, key=lambda j: distances[i, j])[:neighbours]:
            graph[i, j] = graph[j, i] = 1
    return np.diag(graph.sum(axis=1)) - graph


def literal(x: dict[str, np.ndarray], known: np.ndarray, bits: int, centring: float = 1.0) -> dict[str, np.ndarray]:
    """Return the weights as the paper has them: unpaired images, then pairs; pairs, then unpaired texts; S₁ and S₂."""
    alone = np.setdiff1d(np.arange(len(x["image"])), known)
    first = x["image"][np.concatenate([alone, known])].T
    second = x["text"][np.concatenate([known, alone])].T
    first, second = first - first.mean(axis=1, keepdims=True), second - second.mean(axis=1, keepdims=True)
    n, pairs = first.shape[1], len(known)
    select_first, select_second = np.eye(n)[n - pairs :], np.eye(n)[:pairs]  # S₁, S₂ (pairs, n)
    bond = 1e4 * np.eye(pairs)  # U
    inverses = [np.linalg.inv(each @ each.T + np.eye(len(each))) for each in (first, second)]
    a1, a2 = (
        np.eye(n) - centring / n - each.T @ inverse @ each
        for each, inverse in zip((first, second), inverses, strict=True)
    )
    l1, l2 = laplacian(first.T, 10), laplacian(second.T, 10)
    e = np.linalg.inv(a2 + l2 + select_second.T @ bond @ select_second) @ select_second.T @ bond @ select_first
    gap = select_first - select_second @ e
    f = eigh(a1 + e.T @ a2 @ e + gap.T @ bond @ gap + l1 + e.T @ l2 @ e)[1][:, 1 : bits + 1]
    return {"image": inverses[0] @ first @ f, "text": inverses[1] @ second @ e @ f}


def known_pairs(items: int, share: float, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    random.permutation(items)  # the sample, here of all
    return random.permutation(items)[: round(share * items)]


@pytest.mark.parametrize("share", [0.3, 0.5, 1.0])
def test_weights_are_those_of_the_equations_as_they_are_written(share: float) -> None:
    x = items(80).x
    found = IMH(bits=5, paired=share, seed=3).fit(x).weights_
    expected = literal(x, known_pairs(80, share, seed=3), 5)
    assert_same_directions(found, expected)


def test_the_constant_costs_no_bit() -> None:
    """Without 1/n in A it is an eigenvector among others, here the second: released code keeps it and drops another."""
    x = items(80).x
    found, released = IMH(bits=5, paired=1.0).fit(x).weights_, literal(x, np.arange(80), 5, centring=0.0)
    assert np.abs(released["image"][:, 0]).max() < 1e-9
    assert np.abs(found["image"]).max(axis=0).min() > 1e-3
    assert_same_directions(*({key: each[:, 1:] for key, each in weights.items()} for weights in (found, released)))


def test_image_and_text_of_an_item_get_similar_codes() -> None:
    x = items(200, noise=0.2).x
    method = IMH(bits=4).fit({modality: features[:120] for modality, features in x.items()})
    image, text = (method.transform(features[120:], modality) for modality, features in x.items())
    assert (image == text).mean() > (image == np.roll(text, 1, axis=0)).mean() + 0.25


def test_a_threshold_at_the_median_balances_bits() -> None:
    x = items(120).x
    method = IMH(bits=6, threshold="median").fit(x)
    for modality, features in x.items():
        np.testing.assert_allclose((method.transform(features, modality) > 0).mean(axis=0), 0.5, atol=0.02)


def test_a_sample_is_drawn_by_the_seed() -> None:
    x = items(120).x
    first, again, other = (IMH(bits=4, sample=60, seed=seed).fit(x).weights_["image"] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(np.abs(first), np.abs(other))
    whole, enough = (IMH(bits=4, sample=sample).fit(x).weights_["image"] for sample in (120, 5000))
    np.testing.assert_array_equal(whole, enough)


def test_more_bits_than_items_warn() -> None:
    x = items(12).x
    with pytest.warns(UserWarning, match=r"^IMH: 64 bits asked for, 11 possible$"):
        assert IMH(bits=64).fit(x).encode(x["text"], "text").bits == 11


@pytest.mark.parametrize("case", HARD)
def test_hard_items_are_learned_without_a_warning(case: str) -> None:
    assert outputs(IMH(), HARD[case])["text"].shape[1] == 16


def test_images_find_texts_of_their_class() -> None:
    assert min(average_precision(IMH(bits=12)).values()) > 0.35
