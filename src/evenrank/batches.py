"""Which training rows each step sees.

A batch is a function of the seed and the step alone, so nothing about drawing has to be stored: a resumed run, another
process and every rank of a distributed run draw the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

ORDER, LABELS = 1, 2  # what is drawn: no two draws of one seed share their random numbers

Draw = Callable[[int], np.ndarray]  # step -> rows of its batch, int64


@dataclass(frozen=True)
class RandomBatches:
    """Consecutive pieces of a random order of all items, another order for each pass; what does not fill a batch waits.

    >>> draw = RandomBatches(items=5, size=2, seed=0)
    >>> len({*draw(0), *draw(1)})
    4
    """

    items: int
    size: int
    seed: int

    def __call__(self, step: int) -> np.ndarray:
        """Return the rows of a step."""
        turn, place = divmod(step, self.items // self.size)
        return _order(self.items, self.seed, turn)[place * self.size : (place + 1) * self.size].copy()


@lru_cache(maxsize=2)
def _order(items: int, seed: int, turn: int) -> np.ndarray:
    return np.random.default_rng((seed, ORDER, turn)).permutation(items)


@dataclass(frozen=True, eq=False)
class LabelBatches:
    """Some labels, and for each of them `members` items that have it.

    `lists` are the rows of each label. Labels of one batch differ; its items do too, unless a label has fewer left
    than it must contribute: then some come twice.
    """

    lists: Sequence[np.ndarray]
    labels: int
    members: int
    seed: int

    def __call__(self, step: int) -> np.ndarray:
        """Return the rows of a step, label after label."""
        draw = np.random.default_rng((self.seed, LABELS, step))
        rows = np.empty(0, np.int64)
        for label in draw.choice(len(self.lists), self.labels, replace=False):
            having = draw.permutation(self.lists[label])
            fresh_first = having[np.argsort(np.isin(having, rows), kind="stable")]
            rows = np.append(rows, np.resize(fresh_first, self.members))
        return rows


def random_batches(items: int, size: int, seed: int) -> RandomBatches:
    """Return batches of `size` items, or of all where there are fewer."""
    return RandomBatches(items, min(size, items), seed)


def balanced_batches(labels: np.ndarray, size: int, members: int, seed: int) -> LabelBatches:
    """Return batches of size / members classes, each with `members` items; `labels` are class numbers (items,).

    >>> draw = balanced_batches(np.array([7, 7, 7, 8, 8, 9, 9]), size=4, members=2, seed=0)
    >>> len(draw(0))
    4
    """
    if labels.ndim != 1:
        raise ValueError(f"labels of balanced batches must be class numbers, one an item; got shape {labels.shape}")
    order = np.argsort(labels, kind="stable")
    _, first = np.unique(labels[order], return_index=True)
    return _label_batches(np.split(order, first[1:]), size, members, seed)


def labelled_batches(labels: np.ndarray, size: int, members: int, seed: int) -> LabelBatches:
    """Return batches of size / members labels, each with `members` items that have it among others.

    `labels` is a matrix (items, labels) of bool.
    """
    if labels.ndim != 2:
        raise ValueError(f"labels of labelled batches must be a matrix (items, labels); got shape {labels.shape}")
    return _label_batches([np.flatnonzero(column) for column in labels.T if column.any()], size, members, seed)


def _label_batches(lists: Sequence[np.ndarray], size: int, members: int, seed: int) -> LabelBatches:
    if size % members:
        raise ValueError(f"batch must be a multiple of members, {members}; got {size}")
    if size // members > len(lists):
        raise ValueError(
            f"a batch of {size} with {members} members each needs {size // members} labels that have items; "
            f"there are {len(lists)}"
        )
    return LabelBatches(lists, size // members, members, seed)
