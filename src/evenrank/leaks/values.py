"""Features that say nothing, or that no distance can compare."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenrank.dataset import Dataset
from evenrank.formats.images import ImageFiles
from evenrank.leaks.finding import Finding, listed, share
from evenrank.split import PARTS, Split


def odd_values(dataset: Dataset, split: Split) -> Iterator[Finding]:
    """Yield non-finite values and zero rows of the split's items, and features that are constant in training."""
    used = np.unique(np.concatenate([getattr(split, part) for part in PARTS]))
    for name, values in dataset.modalities.items():
        if isinstance(values, ImageFiles) or values.ndim != 2:
            continue
        yield from _rows(name, values, used)
        yield from _constant(name, values, split)


def _rows(name: str, values: np.ndarray, used: np.ndarray) -> Iterator[Finding]:
    unfit = used[np.asarray(~np.isfinite(values).all(axis=1))[used]]
    if len(unfit):
        text = f"items with NaN or infinity in {name}: {share(unfit, used)}, the first is row {unfit[0]}"
        yield Finding("non-finite", "warning", len(unfit), text, unfit)
    zero = used[np.asarray(~values.any(axis=1))[used]]
    if len(zero):
        text = f"items that are zero throughout in {name}, which have no cosine: {share(zero, used)}"
        yield Finding("zero rows", "warning", len(zero), text, zero)


def _constant(name: str, values: np.ndarray, split: Split) -> Iterator[Finding]:
    part = "train" if len(split.train) else "database"
    rows = values[getattr(split, part)]
    columns = np.flatnonzero((rows == rows[:1]).all(axis=0)) if len(rows) > 1 else np.empty(0, np.int64)
    if len(columns):
        text = f"features of {name} that are constant in {part}: {share(columns, rows[0])}; {listed(columns)}"
        yield Finding("constant features", "note", len(columns), text)
