"""What `evenrank train` fits a method on: items and what is known of them, from files or from a dataset."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from evenrank.cli.parts import Parts
    from evenrank.method import Method


class Lesson(NamedTuple):
    """Items by modality ("" if the method takes but one), and their labels or relevance."""

    items: dict[str, np.ndarray]
    y: Any

    @property
    def x(self) -> Any:
        """Return the items as `fit` takes them."""
        return self.items.get("", self.items)

    @property
    def size(self) -> int:
        """Return how many items there are."""
        return len(next(iter(self.items.values())))

    def rows(self, rows: np.ndarray) -> Lesson:
        """Return the lesson of some items."""
        from evenrank.relevance import Relevance

        items = {name: values[rows] for name, values in self.items.items()}
        if self.y is None:
            return Lesson(items, None)
        return Lesson(items, self.y.take(rows, rows) if isinstance(self.y, Relevance) else self.y[rows])

    def divided(self, share: float) -> tuple[Lesson, Lesson]:
        """Return all items but a random share, the same one every time, and that share."""
        from evenrank.protocol import order

        places, count = order(self.size, 0), round(share * self.size)
        if not 1 < count < self.size - 1:
            raise ValueError(f"--validation must leave two items on either side; got {count} of {self.size}")
        return self.rows(places[count:]), self.rows(places[:count])

    def __str__(self) -> str:
        shapes = {name: " × ".join(map(str, each.shape[1:])) for name, each in self.items.items()}
        values = " and ".join(f"{shape} ({name})" if name else shape for name, shape in shapes.items())
        return f"{self.size:,} items of {values} values"


def from_files(method: Method, features: list[str], labels: str) -> Lesson:
    """Return the lesson of FILE[:KEY], or in cross-media of one MODALITY=FILE[:KEY] a modality."""
    from evenrank.arrays import load_array
    from evenrank.cli.evaluate import split_key
    from evenrank.cross_media_method import CrossMediaMethod

    several = isinstance(method, CrossMediaMethod)
    pairs = [each.partition("=") if re.match(r"\w+=", each) else ("", "", each) for each in features]
    files = {name: path for name, _, path in pairs}
    if len(files) < len(features) or ("" in files) == several:
        form = "MODALITY=FILE once a modality" if several else "one FILE"
        raise ValueError(f"--features of {type(method).__name__} must be {form}; got {', '.join(features)}")
    items = {name: load_array(*split_key(path)) for name, path in files.items()}
    y = load_array(*split_key(labels)) if labels else None
    if y is not None and y.ndim == 2 and y.shape[1] == 1:  # MATLAB has no other columns
        y = y[:, 0]
    return Lesson(items, y)


def from_parts(method: Method, parts: Parts, modality: str) -> Lesson:
    """Return the lesson that the training part of a split is; cross-media learns from all modalities."""
    from evenrank.cross_media_method import CrossMediaMethod

    if not isinstance(method, CrossMediaMethod):
        return Lesson({"": parts.items("train", modality)}, supervision(method, parts))
    if modality:
        raise ValueError(f"{type(method).__name__} learns from all modalities: --modality must not be given")
    items = {name: parts.items("train", name) for name in parts.dataset.modalities}
    return Lesson(items, supervision(method, parts))


def supervision(method: Method, parts: Parts) -> Any:
    """Return labels, or relevance among the training items where the protocol does not judge by labels.

    Of a matrix of labels, only the classes that the split lets training know.
    """
    from evenrank.protocol import Protocol

    labels, split = parts.labels("train"), parts.split
    if labels is not None and labels.ndim == 2 and split.classes:
        labels = labels[:, list(split.classes)]
    by_labels = type(parts.protocol).relevance is Protocol.relevance or bool(split.classes)
    if method.supervision != "relevance" or (by_labels and labels is not None):
        return labels
    return parts.protocol.relevance(parts.dataset, replace(split, query=split.train, database=split.train))
