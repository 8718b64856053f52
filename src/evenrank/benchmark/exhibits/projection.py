"""The database in the plane of its two principal components, to be looked at rather than measured."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenrank.benchmark.exhibits.items import label
from evenrank.benchmark.exhibits.plain import numbers
from evenrank.benchmark.final import Search
from evenrank.codes import Codes
from evenrank.dataset import Dataset
from evenrank.protocol import order

ITEMS = 1000


def projection(search: Search, data: Dataset, seed: int) -> dict[str, Any]:
    """Return x, y and label of a draw of the database, the same items for every method."""
    rows = np.sort(order(len(search.database), seed)[:ITEMS])
    database = search.database
    values = database.signs(rows) if isinstance(database, Codes) else np.asarray(database.values[rows])
    x, y = plane(values.astype(np.float64)).T
    names = [label(data, int(row)) for row in search.split.database[rows]]
    return {"x": numbers(x, 4), "y": numbers(y, 4), "label": names}


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
