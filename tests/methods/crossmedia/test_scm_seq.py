from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.crossmedia.scm_orth import SCMOrth
from evenrank.methods.crossmedia.scm_seq import SCMSeq
from tests.methods.crossmedia.test_scm_orth import several_labels, similarity, strongest_pairs
from tests.methods.crossmedia.two_modalities import (
    Items,
    assert_same_up_to_signs,
    average_precision,
    encoded,
    items,
    scaled,
)

REGULARISATION = 1e-6
NOISE = 3.0  # so much that for some seeds labels give fewer bits than are asked for


def literal(data: Items, labels: np.ndarray, bits: int) -> tuple[list[float], dict[str, np.ndarray]]:
    """Return λ of the bits that labels give, and all bits, by the loop of the file's docstring on C itself."""
    x, y = scaled(data.image, ddof=1), scaled(data.text, ddof=1)
    between = bits * x.T @ similarity(labels) @ y
    strengths: list[float] = []
    found: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(bits):
        squares, u, v = strongest_pairs(between, x, y, 1, REGULARISATION)
        if strengths and squares[0] > strengths[-1] ** 2:
            break
        strengths.append(float(np.sqrt(squares[0])))
        found.append((x @ u[:, 0], y @ v[:, 0]))
        between = between - np.outer(x.T @ np.sign(found[-1][0]), y.T @ np.sign(found[-1][1]))
    _, u, v = strongest_pairs(x.T @ y, x, y, bits - len(found), REGULARISATION)
    found += zip((x @ u).T, (y @ v).T, strict=True)
    image, text = (np.where(np.stack(outputs, axis=1) > 0, 1, -1) for outputs in zip(*found, strict=True))
    return strengths, {"image": image, "text": text}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("several", [False, True])
def test_bits_are_those_of_the_literal_loop(seed: int, several: bool) -> None:
    data = items(seed=seed, noise=NOISE)
    labels = several_labels(data.labels) if several else np.eye(4, dtype=bool)[data.labels]
    strengths, expected = literal(data, labels, 8)
    method = SCMSeq(bits=8).fit(data.x, labels)
    np.testing.assert_allclose(method.strengths_, strengths, rtol=1e-6)
    assert_same_up_to_signs(encoded(method, data), expected)


def test_some_of_those_loops_end_early_and_some_do_not() -> None:
    counts = set()
    for seed in range(6):
        data = items(seed=seed, noise=NOISE)
        counts.add(len(SCMSeq(bits=8).fit(data.x, data.labels).strengths_))
    assert len(counts) > 1
    assert max(counts) == 8


def test_what_is_left_of_the_similarity_never_rises() -> None:
    data = items(image=40, text=30)
    strengths = SCMSeq(bits=32).fit(data.x, data.labels).strengths_
    assert (np.diff(strengths) <= 0).all()
    assert strengths[-1] < 0.5 * strengths[0]


def test_there_can_be_more_bits_than_dimensions() -> None:
    data = items(image=40, text=30)
    assert SCMSeq(bits=40).fit(data.x, data.labels).encode(data.text, "text").bits == 40


def test_bits_that_neither_labels_nor_correlation_give_are_warned_of() -> None:
    x = np.repeat([[1.0], [-1.0]], 4, axis=0)
    labels = np.array([0, 1] * 4)  # of which the features tell nothing
    with pytest.warns(UserWarning, match="^SCMSeq: 16 bits asked for, 1 possible$"):
        method = SCMSeq().fit({"image": x, "text": x}, labels)
    assert method.strengths_ == []
    np.testing.assert_array_equal(method.transform(x, "image"), method.transform(x, "text"))


@pytest.mark.parametrize("labels", [np.zeros(200, int), np.ones((200, 3), bool)])
def test_labels_that_do_not_differ_are_refused(labels: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"^labels of SCMSeq must differ; all 200 items have the same$"):
        SCMSeq().fit(items().x, labels)


def test_more_bits_find_items_of_the_same_class_better_than_orthogonal_ones() -> None:
    found, orthogonal = average_precision(SCMSeq(bits=16)), average_precision(SCMOrth(bits=16))
    assert min(found.values()) > 0.6
    assert found["image"] > orthogonal["image"]
    assert found["text"] > orthogonal["text"]
