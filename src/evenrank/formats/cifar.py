"""The records of CIFAR-10 and CIFAR-100: labels, then 32 × 32 pixels colour by colour.

The binary version is the records themselves, the python version a pickled dictionary of the same. Either is read file
by file into one array of images that is set aside beforehand, so that hardly more than the images is ever in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.formats.lists import read_lines
from evenrank.formats.pickles import read_pickle

PIXELS = 3 * 32 * 32
BLOCK = 1000  # records held at once beside the images

Columns = Mapping[str, int]  # name of each label and how many classes it has, in the order of the record's bytes
Block = tuple[np.ndarray, np.ndarray]  # pixels (records, 3072), labels (records, columns)


def read_records(files: Mapping[Path, int], columns: Columns) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the images (records, 32, 32, 3) uint8 and the labels by column, int64, of files of so many records."""
    images = np.empty((sum(files.values()), 32, 32, 3), np.uint8)
    labels = np.empty((len(columns), len(images)), np.int64)
    first = 0
    for path, count in files.items():
        part = slice(first, first + count)
        _fill(images[part], labels[:, part], path, columns)
        _check_labels(path, labels[:, part], columns)
        first += count
    return images, dict(zip(columns, labels, strict=True))


def read_names(path: Path, key: str, count: int) -> tuple[str, ...]:
    """Return the names of the classes: one a line in the binary version, the list under `key` in the python version."""
    if path.suffix == ".txt":
        names: list[Any] = read_lines(path)
    else:
        names = _entry(path, read_pickle(path), key, list)
    names = [name.decode("utf-8", "replace") if isinstance(name, bytes) else name for name in names]
    if len(names) != count or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{path}: must hold the names of {count} classes; got {len(names)} entries")
    return tuple(names)


def _fill(images: np.ndarray, labels: np.ndarray, path: Path, columns: Columns) -> None:
    blocks = (_binary if path.suffix == ".bin" else _pickled)(path, len(images), columns)
    for number, (pixels, classes) in enumerate(blocks):
        rows = slice(number * BLOCK, (number + 1) * BLOCK)
        planes = pixels.reshape(-1, 3, 32, 32)
        for colour in range(3):  # one at a time is twice as fast as turning all three
            images[rows, :, :, colour] = planes[:, colour]
        labels[:, rows] = classes.T


def _binary(path: Path, count: int, columns: Columns) -> Iterator[Block]:
    width = len(columns) + PIXELS
    size = path.stat().st_size
    if size != count * width:
        raise ValueError(f"{path}: must have {count * width} bytes ({count} records of {width}); got {size}")
    with path.open("rb") as stream:
        for first in range(0, count, BLOCK):
            records = np.fromfile(stream, np.uint8, min(BLOCK, count - first) * width).reshape(-1, width)
            yield records[:, len(columns) :], records[:, : len(columns)]


def _pickled(path: Path, count: int, columns: Columns) -> Iterator[Block]:
    batch = read_pickle(path)
    pixels = _entry(path, batch, "data", np.ndarray)
    if pixels.shape != (count, PIXELS):
        raise ValueError(f"{path}: data must have shape {(count, PIXELS)}; got {pixels.shape}")
    labels = np.empty((count, len(columns)), np.int64)
    for column, name in enumerate(columns):
        values = _entry(path, batch, name, list)
        if len(values) != count or not all(type(value) is int for value in values):
            raise ValueError(f"{path}: {name} must be {count} whole numbers; got {len(values)} entries")
        labels[:, column] = values
    for first in range(0, count, BLOCK):
        yield pixels[first : first + BLOCK], labels[first : first + BLOCK]


def _entry(path: Path, batch: Any, name: str, kind: type) -> Any:
    found = batch.get(name) if isinstance(batch, dict) else None
    if not isinstance(found, kind):
        raise ValueError(f"{path}: {name} must be a {kind.__name__}; got {type(found).__name__}")
    return found


def _check_labels(path: Path, labels: np.ndarray, columns: Columns) -> None:
    for (name, classes), column in zip(columns.items(), labels, strict=True):
        wrong = np.flatnonzero((column < 0) | (column >= classes))
        if len(wrong):
            got = f"{column[wrong[0]]} in record {wrong[0]}"
            raise ValueError(f"{path}: {name} must be from 0 to {classes - 1}; got {got}")
