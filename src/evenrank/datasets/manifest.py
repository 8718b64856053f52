"""Items you already have, listed in a table: images by path, captions, labels, one row an item.

    image,text,label,train            CSV with a heading; JSON-lines and Parquet have the same columns
    cats/1.jpg,a cat asleep,cat,true
    both/2.jpg,cat and dog,cat|dog,false

A label is a word or a number; several are separated by "|" (or a list, where the format has lists), and if any item has
several, labels are a matrix. Image paths are relative to the manifest's folder and cannot lead out of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.dataset import Dataset, Loader, Media, located
from evenrank.formats.images import ImageFiles
from evenrank.formats.manifests import manifest_rows

TRAIN = {"true": True, "1": True, "train": True, "false": False, "0": False, "test": False}


@dataclass(frozen=True, kw_only=True)
class Manifest(Loader):
    """Your own images and captions, listed in a .csv, .jsonl or .parquet file; the keywords name its columns.

    `image`, `text` and `train` may be absent as long as there is an image or a text.
    """

    title = "Manifest"
    media = "image/text"
    source = "your own"

    path: str
    image: str = "image"
    text: str = "text"
    label: str = "label"
    train: str = "train"

    def read(self, root: Path) -> Dataset:
        """Return the items in the order of the file; classes are sorted."""
        path = located(self.path, root)
        rows = manifest_rows(path)
        first = next(rows, None)
        if first is None:
            raise ValueError(f"{path}: holds no items")
        roles = self._roles(path, first[1])
        values: dict[str, list[Any]] = {role: [] for role in roles}
        for place, row in chain([first], rows):
            try:
                for role, column in roles.items():
                    values[role].append(READ[role](row.get(column)))
            except ValueError as error:
                raise ValueError(f"{path}: {place}: {column}: {error}") from None
        labels, classes = _numbered(values["label"])
        train = np.array(values["train"]) if "train" in values else None
        return Dataset(path.stem, _media(path.parent, values), labels, classes, train=train)

    def _roles(self, path: Path, row: dict[str, Any]) -> dict[str, str]:
        """Return the column of each role; one that was asked for by another name than the usual must be there."""
        columns = {role: getattr(self, role) for role in READ}
        for role, column in columns.items():
            if column not in row and (role == "label" or column != role):
                raise ValueError(f"{path}: has no column {column!r} for {role}; there are: {', '.join(row)}")
        if columns["image"] not in row and columns["text"] not in row:
            raise ValueError(f"{path}: must have a column for image or text; there are: {', '.join(row)}")
        return {role: column for role, column in columns.items() if column in row}


def _media(folder: Path, values: dict[str, list[Any]]) -> dict[str, Media]:
    media: dict[str, Media] = {}
    if "image" in values:
        media["image"] = ImageFiles(folder, values["image"])
    if "text" in values:
        media["text"] = np.array(values["text"], np.dtypes.StringDType())
    return media


def _name(value: Any) -> str:
    if not _text(value).strip():
        raise ValueError("must name an image; got nothing")
    return _text(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be text; got {value!r}")
    value.encode()  # half of a surrogate pair, which JSON can hold, is no text
    return value


def _words(value: Any) -> tuple[str, ...]:
    """Return the labels of one item as words."""
    found = value if isinstance(value, list) else value.split("|") if isinstance(value, str) else [value]
    for each in found:
        if not isinstance(each, (str, int, float)) or each != each:
            raise ValueError(f"must be a word, a number or a list of them; got {each!r}")
    words = tuple(_text(str(each)).strip() for each in found)
    if not all(words) or not words:
        raise ValueError(f"must not be empty; got {value!r}")
    return words


def _training(value: Any) -> bool:
    word = str(value).strip().lower()
    if word not in TRAIN:
        raise ValueError(f"must be one of {', '.join(TRAIN)}; got {value!r}")
    return TRAIN[word]


def _numbered(words: list[tuple[str, ...]]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return labels and classes: numbers where every item has one label, else a matrix."""
    classes = _sorted(set(chain.from_iterable(words)))
    number = {word: place for place, word in enumerate(classes)}
    if all(len(each) == 1 for each in words):
        return np.array([number[word] for (word,) in words]), classes
    matrix = np.zeros((len(words), len(classes)), bool)
    for row, each in enumerate(words):
        matrix[row, [number[word] for word in each]] = True
    return matrix, classes


def _sorted(words: Iterable[str]) -> tuple[str, ...]:
    """Return words in alphabetical order, or in that of numbers (2 before 10) where all are whole numbers."""
    words = sorted(words)
    return tuple(sorted(words, key=len) if all(word.isdecimal() for word in words) else words)


READ = {"image": _name, "text": _text, "label": _words, "train": _training}
