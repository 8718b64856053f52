"""Features you already have: a bundle, one `.npz` file with one float array a modality.

    bundle.npz:  image (items, d) float    text (items, e) float    …     whatever the modalities are called
                 label (items,) class numbers, or (items, classes) 0/1                             optional
                 train (items,) bool       superclass (items,) numbers       classes (classes,) words       optional

    shown_image (items, height, width[, 3]) uint8     shown_text (items,) words     what reports show        optional

Anything else is kept as it is, in `extras`. Features that were learned once a fold have a leading axis (folds, items,
d), and `fold` chooses. Values that are not finite are let through: the leak check counts and reports them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from evenrank.dataset import SHOWN, Dataset, Loader, located
from evenrank.formats.bundles import load_bundle
from evenrank.parameters import Integer

CLASSES = 1 << 20  # class numbers lie below: tables with a column a class are made of them


@dataclass(frozen=True, kw_only=True)
class Bundle(Loader):
    """Your own features: a bundle.npz, a folder that holds one, or the name of such a folder below the data root."""

    title = "Feature bundle"
    media = "features"
    source = "your own, or written by: evenrank data features"

    path: str
    fold: Annotated[int | None, Integer(0)] = None

    def read(self, root: Path) -> Dataset:
        """Return the features in alphabetical order of their names, the labels, and all other arrays as extras."""
        path = located(self.path, root)
        path = path / "bundle.npz" if path.is_dir() else path
        arrays = load_bundle(path)
        try:
            columns = {name: check(name, arrays.pop(name)) for name, check in COLUMNS.items() if name in arrays}
            classes = _classes(columns.get("label"), arrays.pop("classes", None))
            modalities = _modalities(arrays, _items(columns, arrays), self.fold)
            _check_shown(arrays, len(next(iter(modalities.values()))))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        return Dataset(
            self._name(path),
            modalities,
            columns.get("label"),
            classes,
            columns.get("superclass"),
            columns.get("train"),
            extras={name: array for name, array in arrays.items() if name not in modalities},
        )

    def _name(self, path: Path) -> str:
        name = path.resolve().parent.name if path.name == "bundle.npz" else path.stem
        return name if self.fold is None else f"{name}(fold={self.fold})"


def _labels(name: str, array: np.ndarray) -> np.ndarray:
    return _mask(name, array) if array.ndim == 2 else _numbers(name, array)


def _numbers(name: str, array: np.ndarray) -> np.ndarray:
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be class numbers (items,), integers; got {array.shape} of {array.dtype}")
    if not 0 <= array.min() <= array.max() < CLASSES:
        raise ValueError(f"{name} must be class numbers from 0 to {CLASSES - 1}; got {array.min()} to {array.max()}")
    return array.astype(np.int64)


def _mask(name: str, array: np.ndarray) -> np.ndarray:
    if array.dtype.kind not in "biuf" or not ((array == 0) | (array == 1)).all():
        raise ValueError(f"{name} must be 0 or 1 everywhere; got other values, {array.shape} of {array.dtype}")
    return array.astype(bool)


COLUMNS = {"label": _labels, "superclass": _numbers, "train": _mask}


def _check_shown(arrays: dict[str, np.ndarray], items: int) -> None:
    for name, array in arrays.items():
        pictures = array.dtype == np.uint8 and (array.ndim == 3 or (array.ndim == 4 and array.shape[3] == 3))
        words = array.dtype.kind == "U" and array.ndim == 1
        if name.startswith(SHOWN) and not (len(array) == items and (pictures or words)):
            raise ValueError(
                f"{name} must be pictures ({items}, height, width[, 3]) uint8, or {items} words; got {array.shape} of "
                f"{array.dtype}"
            )


def _classes(labels: np.ndarray | None, names: np.ndarray | None) -> tuple[str, ...]:
    """Return the names of the classes, their numbers where the bundle does not name them."""
    count = 0 if labels is None else labels.shape[1] if labels.ndim == 2 else int(labels.max()) + 1
    if names is not None and (names.ndim != 1 or len(names) < count):
        raise ValueError(f"classes must name {count} classes; got {names.shape}")
    return tuple(map(str, range(count) if names is None else names))


def _items(columns: dict[str, np.ndarray], arrays: dict[str, np.ndarray]) -> int:
    """Return how many items there are: the labels say so, else the first features."""
    rows = [array.shape[-2] for array in arrays.values() if array.dtype.kind == "f" and array.ndim in (2, 3)]
    return next((len(column) for column in columns.values()), rows[0] if rows else 0)


def _modalities(arrays: dict[str, np.ndarray], items: int, fold: int | None) -> dict[str, np.ndarray]:
    """Return the float matrices with one row an item; where there is one a fold, the chosen fold's."""
    floats = {name: array for name, array in arrays.items() if array.dtype.kind == "f"}
    plain = {name: array for name, array in floats.items() if array.ndim == 2 and len(array) == items}
    folded = {name: array for name, array in floats.items() if array.ndim == 3 and array.shape[1] == items}
    if not plain and not folded:
        found = ", ".join(f"{name} {array.shape}" for name, array in floats.items()) or "none"
        raise ValueError(f"must hold a float array of {items} rows, one an item; the float arrays are: {found}")
    folds = min((len(array) for array in folded.values()), default=0)
    if folded and (fold is None or fold >= folds):
        raise ValueError(f"{', '.join(folded)} differ by fold: fold must be from 0 to {folds - 1}; got {fold}")
    if fold is not None and not folded:
        raise ValueError(f"does not differ by fold, so fold must not be given; got {fold}")
    chosen = {name: array[fold].copy() for name, array in folded.items()}  # a copy lets the other folds go
    return dict(sorted({**plain, **chosen}.items()))
