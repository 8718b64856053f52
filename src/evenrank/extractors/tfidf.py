"""Texts as weighted word counts: frequent in the text, rare elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.dataset import Media
from evenrank.extractor import Extract, Extractor
from evenrank.parameters import Integer


@dataclass(frozen=True)
class Tfidf(Extractor):
    """Term frequency × inverse document frequency of the most frequent words of the training texts, length 1.

    Rows are dense: four bytes a word, so 4,096 words of a million texts are 16 GB. A text without any known word is a
    row of zeros.
    """

    title = "TF-IDF"
    reads = "text"
    learns = True
    libraries = ("numpy", "scikit-learn")

    words: Annotated[int, Integer(1, 65_536)] = 4096

    def fit(self, items: Media) -> Extract:
        """Learn the words and how many texts have each."""
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectorizer = TfidfVectorizer(max_features=self.words, dtype=np.float32)
        vectorizer.fit([str(text) for text in items])

        def extract(items: Media) -> np.ndarray:
            return vectorizer.transform([str(text) for text in items]).toarray()

        return extract
