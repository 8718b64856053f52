"""The demo: codes of the handwritten digits of scikit-learn, and how far tie-breaking alone moves their AP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from evenrank.codes import Codes
from evenrank.evaluate import evaluate
from evenrank.relevance import SameLabel
from evenrank.result import Result

BITS = (8, 12, 16, 24, 32, 48, 64)
METRICS = ("AP", "AP@100", "nDCG@100", "P@10", "MAP@R", "CMC@1", "P@H<=2", "LGAP@2")


class Digits(NamedTuple):
    """Centred digit images, split into queries and database."""

    queries: np.ndarray
    database: np.ndarray
    query_labels: np.ndarray
    database_labels: np.ndarray


def digits(seed: int = 0) -> Digits:
    """Return the 1,797 digits, 20 a class as queries, the rest as database, centred on the database's mean."""
    from sklearn.datasets import load_digits

    values, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(labels))
    within = np.zeros(len(labels), np.int64)
    for label in np.unique(labels):
        mine = order[labels[order] == label]
        within[mine] = np.arange(len(mine))
    query = within < 20
    values = values - values[~query].mean(axis=0)
    return Digits(values[query], values[~query], labels[query], labels[~query])


def random_directions(data: Digits, bits: int, seed: int = 0) -> np.ndarray:
    """Return (dimensions, bits) Gaussian directions: locality-sensitive hashing."""
    return np.random.default_rng(seed).standard_normal((data.database.shape[1], bits))


def principal_directions(data: Digits, bits: int) -> np.ndarray:
    """Return (dimensions, at most bits) leading principal directions: PCA hashing; no more than the data's rank."""
    _, scale, directions = np.linalg.svd(data.database, full_matrices=False)
    rank = int((scale > scale[0] * 1e-10).sum())
    return directions[: min(bits, rank)].T


def runs(seed: int = 0) -> Iterator[tuple[str, int, Result]]:
    """Yield (method, bits, result) of each code; fewer bits than asked where the data has no more directions."""
    data = digits(seed)
    relevance = SameLabel(data.query_labels, data.database_labels)
    for method in ("random projection", "PCA sign"):
        for bits in BITS:
            pca = method == "PCA sign"
            directions = principal_directions(data, bits) if pca else random_directions(data, bits, seed)
            queries, database = (Codes.from_signs(x @ directions) for x in (data.queries, data.database))
            yield method, queries.bits, evaluate(queries, database, relevance, METRICS)
