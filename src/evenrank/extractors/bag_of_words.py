"""Paper 4's texts: a histogram over groups of words that mean similar things.

Word vectors are clustered into centres, and a text is how often each centre's words occur in it. The paper clusters
word2vec vectors; here they come from a trained model's tokens or from the corpus itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from evenrank.dataset import Media
from evenrank.extractor import Extract, Extractor
from evenrank.extractors._word_vectors import company_vectors, split_words, token_vectors, vocabulary
from evenrank.extractors.minilm import MiniLM
from evenrank.parameters import Choice, Integer


@dataclass(frozen=True)
class BagOfWords(Extractor):
    """The share of a text's words that belong to each of `centres` groups of similar words.

    `vectors` are MiniLM's tokens, or for ppmi the `dimensions` first singular vectors of the words' mutual information
    in the training texts. Words that occur fewer than `at_least` times there are unknown; a text without any known
    word is a row of zeros.
    """

    title = "Bag of clustered words"
    reads = "text"
    learns = True
    libraries = ("numpy", "scikit-learn", "scipy")

    centres: Annotated[int, Integer(1, 65_536)] = 1024
    vectors: Annotated[str, Choice("minilm", "ppmi")] = "minilm"
    dimensions: Annotated[int, Integer(1, 4096)] = 100
    at_least: Annotated[int, Integer(1)] = 2
    seed: Annotated[int, Integer(0)] = 0

    def fit(self, items: Media) -> Extract:
        """Learn the words, and which of them belong together."""
        texts = [split_words(str(text)) for text in items]
        words = vocabulary(texts, self.at_least)
        if self.centres > len(words):
            raise ValueError(f"centres of BagOfWords must be at most the {len(words)} words; got {self.centres}")
        ppmi = self.vectors == "ppmi"
        vectors = company_vectors(words, texts, self.dimensions) if ppmi else token_vectors(words, MiniLM().place())
        centre = dict(zip(words, _clustered(vectors, self.centres, self.seed), strict=True))

        def extract(items: Media) -> np.ndarray:
            rows = np.zeros((len(items), self.centres), np.float32)
            for row, text in enumerate(items):
                found = [centre[word] for word in split_words(str(text)) if word in centre]
                rows[row] = np.bincount(found, minlength=self.centres) / max(1, len(found))
            return rows

        return extract

    def files(self) -> tuple[Path, ...]:
        """Return the model of the word vectors, if they come from one."""
        return MiniLM().files() if self.vectors == "minilm" else ()


def _clustered(vectors: np.ndarray, centres: int, seed: int) -> list[int]:
    """Return the number of each vector's centre."""
    from sklearn.cluster import MiniBatchKMeans

    clusters = MiniBatchKMeans(centres, random_state=seed, batch_size=4096, n_init=1)
    return clusters.fit_predict(vectors).tolist()
