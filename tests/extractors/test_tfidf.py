"""TF-IDF against its formula."""

from __future__ import annotations

import numpy as np
import pytest

from evenrank.extractors.tfidf import Tfidf


def test_values_follow_the_formula() -> None:
    run = Tfidf().fit(np.array(["cat cat dog", "dog bird"]))
    [row] = run(np.array(["cat dog unknown"]))
    rare, common = np.log(3 / 2) + 1, np.log(3 / 3) + 1  # ln((1 + n) / (1 + df)) + 1
    np.testing.assert_allclose(row, np.array([0, rare, common]) / np.hypot(rare, common), rtol=1e-6)
    assert row.dtype == np.float32


def test_the_most_frequent_words_are_kept() -> None:
    run = Tfidf(words=2).fit(np.array(["cat cat dog dog bird"]))
    assert (run(np.array(["cat", "dog", "bird"])) > 0).any(axis=1).tolist() == [True, True, False]


def test_training_texts_without_words_are_refused() -> None:
    with pytest.raises(ValueError, match="empty vocabulary"):
        Tfidf().fit(np.array(["", "?"]))
