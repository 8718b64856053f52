from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

from evenrank.methods.crossmedia.scm_orth import SCMOrth
from tests.methods.crossmedia.two_modalities import (
    Items,
    assert_same_up_to_signs,
    average_precision,
    encoded,
    items,
    scaled,
)


def similarity(labels: np.ndarray) -> np.ndarray:
    """Return S (items, items), 2 cosine − 1 of labels, pair by pair; without labels a cosine is 0."""
    rows = labels.astype(float)
    lengths = [np.sqrt((row**2).sum()) for row in rows]
    cosines = [[a @ b / (p * q) if p * q else 0.0 for b, q in zip(rows, lengths, strict=True)]
               for a, p in zip(rows, lengths, strict=True)]  # fmt: skip
    return 2 * np.array(cosines) - 1


def strongest_pairs(between: np.ndarray, x: np.ndarray, y: np.ndarray, pairs: int, r: float) -> tuple[np.ndarray, ...]:
    """Return λ² and the directions of images and of texts, by the equation of the file's docstring."""
    xx, yy = x.T @ x / len(x) + r * np.eye(x.shape[1]), y.T @ y / len(x) + r * np.eye(y.shape[1])
    squares, w = eigh(between @ np.linalg.solve(yy, between.T), xx)
    squares, w = squares[::-1][:pairs], w[:, ::-1][:, :pairs]
    return squares, w, np.linalg.solve(yy, between.T @ w) / np.sqrt(squares)


def literal(data: Items, labels: np.ndarray, pairs: int, r: float) -> dict[str, np.ndarray]:
    x, y = scaled(data.image, ddof=1), scaled(data.text, ddof=1)
    _, image, text = strongest_pairs(x.T @ similarity(labels) @ y, x, y, pairs, r)
    return {"image": x @ image, "text": y @ text}


def several_labels(classes: np.ndarray) -> np.ndarray:
    """Return up to three labels an item, (items, 4) bool, and none for one."""
    labels = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 1, 1, 0], [1, 1, 0, 1]], bool)[classes]
    labels[7] = False
    return labels


@pytest.mark.parametrize("several", [False, True])
def test_bits_are_the_signs_of_the_strongest_pairs(several: bool) -> None:
    data = items()
    labels = several_labels(data.labels) if several else np.eye(4, dtype=bool)[data.labels]
    expected = literal(data, labels, 3, 1e-6)
    found = encoded(SCMOrth(bits=3).fit(data.x, labels), data)
    assert_same_up_to_signs(found, {modality: np.where(v > 0, 1, -1) for modality, v in expected.items()})


def test_more_dimensions_than_items_give_the_same_as_the_eigenproblem() -> None:
    data = items(20, 50, 30)
    expected = literal(data, np.eye(4)[data.labels], 3, 0.5)
    found = encoded(SCMOrth(bits=3, regularisation=0.5).fit(data.x, data.labels), data)
    assert_same_up_to_signs(found, {modality: np.where(v > 0, 1, -1) for modality, v in expected.items()})


def test_classes_less_one_are_all_the_bits_there_are() -> None:
    data = items()
    with pytest.warns(UserWarning, match="^SCMOrth: 16 bits asked for, 3 possible$"):
        method = SCMOrth().fit(data.x, data.labels)
    assert method.encode(data.text, "text").bits == 3


def test_padding_adds_orthogonal_bits_up_to_the_dimensions() -> None:
    data = items()
    plain = SCMOrth(bits=3).fit(data.x, data.labels)
    padded = SCMOrth(bits=6, padding="random").fit(data.x, data.labels)
    again = SCMOrth(bits=6, padding="random", seed=1).fit(data.x, data.labels)
    for modality, features in data.x.items():
        np.testing.assert_allclose(padded.weights_[modality][:, :3], plain.weights_[modality])
        outputs = (features - features.mean(axis=0)) @ padded.weights_[modality]
        np.testing.assert_allclose(outputs.T @ outputs / 200, np.eye(6), atol=1e-5)
        assert not np.allclose(again.weights_[modality][:, 3:], padded.weights_[modality][:, 3:])
    with pytest.warns(UserWarning, match="^SCMOrth: 16 bits asked for, 6 possible$"):
        SCMOrth(padding="random").fit(data.x, data.labels)


@pytest.mark.parametrize("labels", [np.zeros(200, int), np.ones((200, 3), bool)])
def test_labels_that_do_not_differ_are_refused(labels: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"^labels of SCMOrth must differ; all 200 items have the same$"):
        SCMOrth().fit(items().x, labels)


def test_it_finds_items_of_the_same_class() -> None:
    assert min(average_precision(SCMOrth(bits=3)).values()) > 0.5
