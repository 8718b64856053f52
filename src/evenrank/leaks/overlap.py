"""Items and classes that two parts have in common although the split promises that they do not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenrank.dataset import Dataset
from evenrank.leaks.finding import Finding, apart, listed, share
from evenrank.split import Split


def shared_items(split: Split) -> Iterator[Finding]:
    """Yield the pairs of parts that hold the same rows and are not among `split.shares`."""
    for one, other in apart(split):
        rows = np.intersect1d(getattr(split, one), getattr(split, other), assume_unique=True)
        if len(rows):
            whole = getattr(split, one)
            text = f"items of {one} that are in {other} too, which the split does not promise: {share(rows, whole)}"
            yield Finding("shared items", "leak", len(rows), text, rows)


def shared_classes(dataset: Dataset, split: Split) -> Iterator[Finding]:
    """Yield the pairs of `split.unseen` whose classes overlap; with several labels an item, one is enough."""
    if dataset.labels is None:
        return
    for known, unseen in split.unseen:
        rows = getattr(split, unseen)
        common = np.intersect1d(classes(dataset.labels, getattr(split, known)), classes(dataset.labels, rows))
        if len(common):
            carriers = rows[carries(dataset.labels, rows, common)]
            text = (
                f"items of {unseen} with a class of {known}, which should have none: {share(carriers, rows)}; "
                f"classes {listed(common)}"
            )
            yield Finding("shared classes", "leak", len(carriers), text, carriers)


def classes(labels: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the classes that some of the rows have, ascending; labels are numbers (n,) or a matrix (n, classes)."""
    return np.unique(labels[rows]) if labels.ndim == 1 else np.flatnonzero(labels[rows].any(axis=0))


def carries(labels: np.ndarray, rows: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Return which of the rows have one of `some` classes."""
    return np.isin(labels[rows], some) if labels.ndim == 1 else labels[rows][:, some].any(axis=1)
