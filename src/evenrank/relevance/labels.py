"""Labels as people write them, checked, and numbered."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenrank.arrays import as_array

SMALL = 1 << 16  # labels 0 … this are their own numbers


def one_label_each(values: Any, what: str) -> np.ndarray:
    """Return 1-D labels, integers or words."""
    labels = as_array(values, what)
    if labels.ndim != 1:
        hint = "flatten it" if labels.ndim == 2 and 1 in labels.shape else "for multi-label data use SharedLabels"
        raise ValueError(f"{what} must be 1-D, one label an item; got shape {labels.shape}: {hint}")
    if labels.dtype == object:
        labels = _plain(labels, what)
    return labels if labels.dtype.kind in "SU" else whole_numbers(labels, what)


def whole_numbers(values: np.ndarray, what: str) -> np.ndarray:
    """Return an array of integers as it is, and one of floats with whole values (as MATLAB has them) as int64."""
    if values.size == 0:
        raise ValueError(f"{what} must not be empty; got shape {values.shape}")
    if values.dtype.kind == "f":
        wrong = np.argwhere(~np.isfinite(values) | (values != np.rint(values)) | (np.abs(values) >= 2.0**63))
        if len(wrong):
            cell = tuple(wrong[0].tolist())
            raise ValueError(f"{what} must be whole numbers or words; got {values[cell]} in row {cell[0]}")
        return values.astype(np.int64)
    if values.dtype.kind not in "biu":
        raise ValueError(f"{what} must be whole numbers; got {values.dtype}")
    if values.dtype == np.uint64 and values.max() >= 2**63:
        raise ValueError(f"{what} must be below 2^63; got {values.max()}")
    return values


def number(queries: np.ndarray, database: np.ndarray, what: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the labels of both sides as class numbers 0 … count - 1, and the count.

    Small non-negative integers are their own numbers, without a sort; others are numbered in ascending order.
    """
    words = [labels.dtype.kind in "SU" for labels in (queries, database)]
    if words[0] != words[1] or (words[0] and queries.dtype.kind != database.dtype.kind):
        raise ValueError(f"{what} must be of one kind, integers or words; got {queries.dtype} and {database.dtype}")
    if not words[0]:
        largest = max(int(queries.max()), int(database.max()))
        if min(queries.min(), database.min()) >= 0 and largest < max(SMALL, len(database)):
            return queries, database, largest + 1
        queries, database = queries.astype(np.int64), database.astype(np.int64)
    values, numbers = np.unique(np.concatenate([queries, database]), return_inverse=True)
    return numbers[: len(queries)], numbers[len(queries) :], len(values)


def _plain(labels: np.ndarray, what: str) -> np.ndarray:
    """Return an array of Python objects as integers or words, if they are all of one kind."""
    for kind in (str, (int, np.integer)):
        if all(isinstance(label, kind) for label in labels):
            return np.array(labels.tolist())
    odd = next((row for row, label in enumerate(labels) if not isinstance(label, type(labels[0]))), 0)
    raise ValueError(f"{what} must be all integers or all words; got {labels[odd]!r} in row {odd}")
