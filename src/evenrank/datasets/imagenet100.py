"""ImageNet100: the images of 100 classes of ILSVRC 2012, by the lists that HashNet published.

A line is a path and the class as 100 times 0 or 1. `database.txt` lists training images of ILSVRC, `test.txt` the
validation images, which query them; `train.txt` is the part of the database, 130 a class, that methods train on.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader
from evenrank.formats.images import ImageFiles
from evenrank.formats.lists import read_lines

_CLASSES = 100


@dataclass(frozen=True)
class Imagenet100(Loader):
    """Images of 100 ILSVRC classes: the training images are searched, the validation images query."""

    title = "ImageNet100"
    media = "image"
    categories = 100
    needs = (("imagenet100/database.txt", "imagenet100/test.txt"),)
    source = "https://github.com/thuml/HashNet (lists) and https://image-net.org (images)"
    licence = "non-commercial research (ImageNet terms of access)"
    citation = "Cao, Long, Wang, Yu: HashNet: Deep Learning to Hash by Continuation. ICCV 2017"

    def read(self, root: Path) -> Dataset:
        """Return the database images, then the queries; `train` marks the database.

        The extra `listed_train` marks the images of `train.txt`, where that list is there. Classes have their numbers
        as names, for the lists do not name them.
        """
        folder = root / "imagenet100"
        searched, searched_labels = _read_list(folder / "database.txt")
        queries, query_labels = _read_list(folder / "test.txt")
        names = searched + queries
        return Dataset(
            "imagenet100",
            {"image": ImageFiles(folder, names)},
            np.concatenate([searched_labels, query_labels]),
            tuple(map(str, range(_CLASSES))),
            train=np.arange(len(names)) < len(searched),
            extras=_extras(folder / "train.txt", searched, len(names)),
        )


def _read_list(path: Path) -> tuple[list[str], np.ndarray]:
    """Return the names and the class numbers of a list."""
    names, labels = [], []
    for number, line in enumerate(read_lines(path), 1):
        name, *flags = line.split() or [""]
        if len(flags) != _CLASSES or flags.count("1") != 1 or flags.count("0") != _CLASSES - 1:
            wanted = f"a path and {_CLASSES} times 0 or 1, of which one is 1"
            raise ValueError(f"{path}: line {number} must be {wanted}; got {line[:60]!r}")
        names.append(name)
        labels.append(flags.index("1"))
    return names, np.array(labels)


def _extras(path: Path, searched: list[str], items: int) -> dict[str, np.ndarray]:
    if not path.exists():
        return {}
    rows = {name: row for row, name in enumerate(searched)}
    mask = np.zeros(items, bool)
    for number, name in enumerate(_read_list(path)[0], 1):
        if name not in rows:
            raise ValueError(f"{path}: line {number} must name an image of database.txt; got {name!r}")
        mask[rows[name]] = True
    return {"listed_train": mask}
