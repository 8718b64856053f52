"""Cars196: photographs of cars, a class a make, model and year.

It is distributed in two layouts: all images in one folder with `cars_annos.mat`, or a folder for training, one for
testing, and a development kit. The images and classes are the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader
from evenrank.formats.images import ImageFiles


@dataclass(frozen=True)
class Cars196(Loader):
    """16,185 photographs of 196 models of cars."""

    title = "Cars196"
    media = "image"
    items = 16_185
    categories = 196
    needs = (
        ("cars196/cars_annos.mat", "cars196/car_ims"),
        (
            "stanford_cars/devkit/cars_meta.mat",
            "stanford_cars/devkit/cars_train_annos.mat",
            "stanford_cars/cars_test_annos_withlabels.mat",
            "stanford_cars/cars_train",
            "stanford_cars/cars_test",
        ),
    )
    source = "https://ai.stanford.edu/~jkrause/cars/car_dataset.html"
    licence = "none stated"
    citation = "Krause, Stark, Deng, Fei-Fei: 3D Object Representations for Fine-Grained Categorization. 3dRR 2013"

    def read(self, root: Path) -> Dataset:
        """Return the images in the order of the annotations; `train` is the official part for training classifiers."""
        in_one_folder = all((root / name).exists() for name in self.needs[0])
        return _one_folder(root / "cars196") if in_one_folder else _two_folders(root / "stanford_cars")


def _one_folder(folder: Path) -> Dataset:
    path = folder / "cars_annos.mat"
    classes, cars = _class_names(path), _variable(path, "annotations")
    return Dataset(
        "cars196",
        {"image": ImageFiles(folder, _names(path, cars, "relative_im_path"))},
        _numbers(path, cars, "class", 1, len(classes)) - 1,
        classes,
        train=_numbers(path, cars, "test", 0, 1) == 0,
    )


def _two_folders(folder: Path) -> Dataset:
    """Return the training images, then the test images."""
    parts = {"cars_train": "devkit/cars_train_annos.mat", "cars_test": "cars_test_annos_withlabels.mat"}
    classes = _class_names(folder / "devkit/cars_meta.mat")
    names: list[str] = []
    labels, train = [], []
    for part, file in parts.items():
        path = folder / file
        cars = _variable(path, "annotations")
        names += [f"{part}/{name}" for name in _names(path, cars, "fname")]
        labels.append(_numbers(path, cars, "class", 1, len(classes)) - 1)
        train.append(np.full(len(cars), part == "cars_train"))
    images = {"image": ImageFiles(folder, names)}
    return Dataset("cars196", images, np.concatenate(labels), classes, train=np.concatenate(train))


def _class_names(path: Path) -> tuple[str, ...]:
    return tuple(str(name) for name in _variable(path, "class_names"))


def _names(path: Path, cars: np.ndarray, field: str) -> list[str]:
    return [str(name) for name in _column(path, cars, field)]


def _numbers(path: Path, cars: np.ndarray, field: str, low: int, high: int) -> np.ndarray:
    column = _column(path, cars, field)
    try:
        numbers = column.astype(np.int64)
    except (TypeError, ValueError):
        raise ValueError(f"{path}: {field} of annotations must be one whole number each") from None
    bad = np.flatnonzero((numbers < low) | (numbers > high))
    if len(bad):
        raise ValueError(f"{path}: {field} of annotation {bad[0]} must be from {low} to {high}; got {numbers[bad[0]]}")
    return numbers


def _column(path: Path, cars: np.ndarray, field: str) -> np.ndarray:
    if field not in (cars.dtype.names or ()):
        raise ValueError(f"{path}: annotations must have a field {field!r}; got {cars.dtype.names or cars.dtype}")
    return cars[field]


def _variable(path: Path, name: str) -> np.ndarray:
    """Return a variable of a MATLAB file: structs are numpy's records, cells its objects, and nothing in it is run."""
    try:
        return _loaded(path, name)
    except Exception as error:  # the parser fails in many ways on a damaged file
        raise ValueError(f"{path}: {name} cannot be read: {' '.join(str(error).split())}") from None


def _loaded(path: Path, name: str) -> np.ndarray:
    from scipy.io import loadmat, whosmat

    shapes = {variable: shape for variable, shape, _ in whosmat(str(path))}
    if name not in shapes:
        raise ValueError(f"the variables there are {', '.join(shapes) or 'none'}")
    declared, size = math.prod(shapes[name]), path.stat().st_size
    if declared > size:  # an annotation takes many bytes, even compressed
        raise ValueError(f"it declares {declared} entries, more than {size} bytes can hold")
    return np.atleast_1d(loadmat(str(path), variable_names=[name], squeeze_me=True)[name])
