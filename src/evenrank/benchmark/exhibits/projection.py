"""The database in the plane, to be looked at rather than measured: by principal components, and by neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenrank.benchmark.exhibits.items import label
from evenrank.benchmark.exhibits.plain import numbers
from evenrank.benchmark.exhibits.tsne import tsne
from evenrank.benchmark.final import Search
from evenrank.codes import Codes
from evenrank.counting import Items
from evenrank.dataset import Dataset
from evenrank.protocol import order

ITEMS = 1000
NEAR = 250  # items that are laid out by neighbours: every step of that looks at all pairs
FEWEST = 10


def projection(search: Search, data: Dataset, seed: int) -> dict[str, Any]:
    """Return x, y and label of a draw of the database, the same items for every method; by principal components."""
    rows = _drawn(search, seed, ITEMS)
    return _placed(plane(_values(search.database, rows)), search, data, rows)


def neighbours(search: Search, data: Dataset, seed: int) -> dict[str, Any] | None:
    """Return the same by t-SNE, of fewer items; None if there are hardly any."""
    rows = _drawn(search, seed, NEAR)
    if len(rows) < FEWEST:
        return None
    values = _values(search.database, rows)
    return _placed(tsne(values, plane(values)), search, data, rows)


def _drawn(search: Search, seed: int, count: int) -> np.ndarray:
    rows: np.ndarray = np.sort(order(len(search.database), seed)[:count])
    return rows


def _values(database: Items, rows: np.ndarray) -> np.ndarray:
    """Return rows as they are compared: signs of codes, embeddings under cosine at length one."""
    if isinstance(database, Codes):
        return database.signs(rows).astype(np.float64)
    values = np.asarray(database.values[rows], np.float64)
    return values / np.linalg.norm(values, axis=1, keepdims=True) if database.distance == "cosine" else values


def _placed(places: np.ndarray, search: Search, data: Dataset, rows: np.ndarray) -> dict[str, Any]:
    names = [label(data, int(row)) for row in search.split.database[rows]]
    return {"x": numbers(places[:, 0], 4), "y": numbers(places[:, 1], 4), "label": names}


def plane(values: np.ndarray) -> np.ndarray:
    """Return the first two principal components of rows, (rows, 2); each points to where its largest weight is.

    >>> plane(np.array([[3.0, 0, 0], [-3, 0, 0], [0, 1, 0], [0, -1, 0]])).round(6).tolist()
    [[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    """
    centred = values - values.mean(axis=0)
    _, _, axes = np.linalg.svd(np.pad(centred, [(0, max(0, 2 - size)) for size in centred.shape]), full_matrices=False)
    axes = axes[:2, : centred.shape[1]]
    signs = np.sign(np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1))
    plane: np.ndarray = centred @ (axes * np.where(signs == 0, 1, signs)).T + 0.0
    return plane
