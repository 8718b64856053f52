"""Distances of feature vectors for rules that are defined by them: exact, whatever the tiling (see `embeddings`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from evenrank.arrays import as_array
from evenrank.embeddings import Embeddings, FixedPoint

PAIRS = 1 << 22  # pairs computed at once


def as_features(values: Any, what: str, distance: str) -> Embeddings:
    """Return features (n, dimensions), checked; integers become float64."""
    array = as_array(values, what)
    try:
        return Embeddings(array.astype(np.float64) if array.dtype.kind in "biu" else array, distance)
    except ValueError as error:
        raise ValueError(f"{what}: {str(error).removeprefix('Embeddings: ')}") from None


def check_dimensions(owner: str, **sides: Embeddings) -> None:
    """Raise ValueError unless the features of all sides have the same dimensions."""
    dimensions = [side.dimensions for side in sides.values()]
    if len(set(dimensions)) > 1:
        raise ValueError(f"{', '.join(sides)} of {owner} must have the same dimensions; got {dimensions}")


def key_sums(fixed: FixedPoint, queries: Embeddings, database: Embeddings) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (first row, exact sums of pairs, (queries, rows)) for consecutive rows of the database."""
    query, query_bias = fixed.queries(queries)
    step = max(1, PAIRS // len(queries))
    for first in range(0, len(database), step):
        item, bias = fixed.database(database, first, first + step)
        yield first, query_bias[:, None] + (bias - query @ item.T)
