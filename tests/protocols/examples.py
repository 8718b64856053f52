"""Small datasets whose labels are arithmetic, so that the splits drawn from them can be stored as hashes."""

from functools import cache

import numpy as np

from evenrank.dataset import Dataset
from evenrank.relevance import Graded

ITEMS = 8_000


@cache
def single() -> Dataset:
    """Ten classes of 800 items in two superclasses, an official training part, features of 4 dimensions."""
    rows = np.arange(ITEMS)
    labels = rows * 7 % 10
    features = np.stack([np.sin(rows), np.cos(3 * rows), labels, rows % 11], axis=1).astype(np.float32)
    names = tuple(f"class {label}" for label in range(10))
    return Dataset("single", {"image": features}, labels, names, superclasses=labels // 5, train=rows % 4 > 0)


@cache
def several() -> Dataset:
    """Ten labels, up to three an item, two modalities, no official part."""
    rows = np.arange(2 * ITEMS)
    labels = np.stack([rows % (label + 2) == 0 for label in range(10)], axis=1)
    labels[~labels.any(axis=1), 0] = True
    return Dataset("several", {"image": rows[:, None] / 7.0, "text": rows[:, None] / 3.0}, labels)


@cache
def judged() -> Dataset:
    """Three queries, then five documents."""
    levels = np.zeros((8, 8), int)
    levels[:3, 3:] = [[2, 0, 1, 0, 0], [0, 0, 0, 0, 3], [0, 1, 0, 0, 0]]
    values = np.arange(16.0).reshape(8, 2)
    return Dataset("judged", {"text": values}, judgements=Graded(levels), extras={"query": np.arange(8) < 3})


EXAMPLES = (single, several, judged)
