"""A vector for each word of a vocabulary: from what a trained model knows, or from the company it keeps in texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evenrank.extractors.minilm import load

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

WORD = re.compile(r"[^\W\d_]+")
WINDOW = 5  # how far apart two words of a text may be to count as company


def split_words(text: str) -> list[str]:
    """Return the words of a text, in lower case.

    >>> split_words("Two men talk; it's 1963.")
    ['two', 'men', 'talk', 'it', 's']
    """
    return WORD.findall(text.lower())


def vocabulary(texts: Iterable[list[str]], at_least: int) -> list[str]:
    """Return the words that occur often enough, by alphabet."""
    counts = Counter(word for words in texts for word in words)
    return sorted(word for word, count in counts.items() if count >= at_least)


def token_vectors(words: list[str], folder: Path) -> np.ndarray:
    """Return (words, dimensions): the mean of the input vectors of a word's pieces in a trained text model."""
    tokenizer, network = load(folder)
    table = network.get_input_embeddings().weight.detach().numpy()
    pieces = tokenizer(words, add_special_tokens=False)["input_ids"]
    return np.stack([table[each].mean(axis=0) for each in pieces])


def company_vectors(words: list[str], texts: list[list[str]], dimensions: int) -> np.ndarray:
    """Return (words, dimensions): the singular vectors of the words' positive pointwise mutual information.

    PPMI(a, b) = max(0, log(#(a, b) · # / #(a) · #(b))) over pairs within the window; a vector is U √S. The singular
    vectors come from a randomised method with a fixed seed, the largest entry of each positive: the same texts give the
    same vectors. (ARPACK would draw from a seed that is not ours wherever singular values repeat.)
    """
    from sklearn.utils.extmath import randomized_svd

    if dimensions >= len(words):
        raise ValueError(f"dimensions must be below the {len(words)} words of the training texts; got {dimensions}")
    u, s, _ = randomized_svd(_ppmi(_company(words, texts)), dimensions, n_iter=7, random_state=0)
    return (u * np.sqrt(s)).astype(np.float32)


def _company(words: list[str], texts: list[list[str]]) -> csr_matrix:
    """Return how often two words lie within the window, (words, words), symmetric."""
    from scipy.sparse import coo_matrix

    place = {word: number for number, word in enumerate(words)}
    known = [[place[word] for word in text if word in place] for text in texts]
    ids = np.array([number for text in known for number in text], np.int64)
    text = np.repeat(np.arange(len(known)), [len(each) for each in known])
    near = [(ids[:-gap], ids[gap:], text[:-gap] == text[gap:]) for gap in range(1, WINDOW + 1)]
    left, right = (np.concatenate([pair[side][pair[2]] for pair in near]) for side in (0, 1))
    counts = coo_matrix((np.ones(len(left)), (left, right)), (len(words), len(words))).tocsr()
    return counts + counts.T


def _ppmi(counts: csr_matrix) -> csr_matrix:
    totals = np.asarray(counts.sum(axis=1)).ravel()
    pairs = counts.tocoo()
    values = np.log(pairs.data * totals.sum() / (totals[pairs.row] * totals[pairs.col]))
    pairs.data = np.maximum(values, 0)
    return pairs.tocsr()
