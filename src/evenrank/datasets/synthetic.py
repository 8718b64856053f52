"""Gaussian classes of any size and difficulty, from a seed.

Class centres have independent standard normal coordinates; an item lies around its centre with standard deviation

    spread = difficulty × (dimensions / 4)^¼        in every coordinate.

The root keeps difficulties of different dimensions comparable, though not equal: the squared distances of two classes
are larger by 2 dimensions, those within a class scatter by spread² √(8 dimensions), and the ratio of the two is
√2 / difficulty².
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from evenrank.dataset import Dataset, Loader
from evenrank.parameters import Integer, Real

BLOCK = 1024  # items drawn at once, each block from its own stream: the first items are the same for any number of them


@dataclass(frozen=True, kw_only=True)
class Synthetic(Loader):
    """Gaussian classes from a seed: any size, with several labels an item, superclasses or two modalities.

    An item with several labels lies around the mean of their centres. Half of the variance of a centre is shared with
    its superclass. Two modalities ("image", "text") are two random linear maps of the same point; half of the
    variance around the centre is drawn for both together, half for each alone.

    >>> from evenrank.dataset import dataset
    >>> dataset("synthetic(items=500, modalities=2, classes=7)")
    Dataset(synthetic: 500 items, image 64, text 64, 7 classes)
    """

    title = "Synthetic"
    media = "features"
    source = "drawn from a seed"

    # `items` is also what the catalog lists of a dataset; here it is the default of an option.
    items: Annotated[int, Integer(1)] = 10_000  # type: ignore[misc]
    classes: Annotated[int, Integer(1)] = 10
    dimensions: Annotated[int, Integer(1)] = 64
    labels_per_item: Annotated[int, Integer(1)] = 1
    superclasses: Annotated[int, Integer(0)] = 0
    modalities: Annotated[int, Integer(1, 2)] = 1
    difficulty: Annotated[float, Real(0.0)] = 1.0
    seed: Annotated[int, Integer(0)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("labels_per_item", "superclasses"):
            if getattr(self, name) > self.classes:
                raise ValueError(
                    f"{name} of Synthetic must be at most classes = {self.classes}; got {getattr(self, name)}"
                )
        if self.superclasses and self.labels_per_item > 1:
            raise ValueError(
                f"superclasses of Synthetic must be 0 with several labels an item; got {self.superclasses}"
            )

    def read(self, root: Path) -> Dataset:
        """Return the items; nothing is read from `root`."""
        centres, maps = self._world(self._random(0))
        views = [np.empty((self.items, self.dimensions), np.float32) for _ in range(self.modalities)]
        labels = np.empty((self.items, self.labels_per_item), np.int64)
        for block, first in enumerate(range(0, self.items, BLOCK), 1):
            size = min(BLOCK, self.items - first)
            chosen, points = self._block(self._random(block), centres, maps)
            labels[first : first + size] = chosen[:size]
            for view, values in zip(views, points, strict=True):
                view[first : first + size] = values[:size]
        media = dict(zip(("image", "text"), views, strict=False))
        superclasses = labels[:, 0] % self.superclasses if self.superclasses else None
        columns = labels[:, 0] if self.labels_per_item == 1 else _matrix(labels, self.classes)
        return Dataset("synthetic", media, columns, tuple(map(str, range(self.classes))), superclasses)

    def _random(self, stream: int) -> np.random.Generator:
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=(stream,))))

    def _world(self, random: np.random.Generator) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the centres of the classes, and the linear map of each modality where there is more than one."""
        centres = random.standard_normal((self.classes, self.dimensions))
        if self.superclasses:
            above = random.standard_normal((self.superclasses, self.dimensions))
            centres = math.sqrt(0.5) * (centres + above[np.arange(self.classes) % self.superclasses])
        shape = (self.modalities if self.modalities > 1 else 0, self.dimensions, self.dimensions)
        return centres, list(random.standard_normal(shape) / math.sqrt(self.dimensions))

    def _block(
        self, random: np.random.Generator, centres: np.ndarray, maps: list[np.ndarray]
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return the labels of `BLOCK` items and their points in each modality."""
        labels = _distinct(random, self.labels_per_item, self.classes)
        spread = self.difficulty * (self.dimensions / 4) ** 0.25 / math.sqrt(self.modalities)
        points = centres[labels].mean(axis=1)
        points += spread * random.standard_normal(points.shape)
        views = [points @ linear + spread * random.standard_normal(points.shape) for linear in maps]
        return labels, views or [points]


def _distinct(random: np.random.Generator, count: int, classes: int) -> np.ndarray:
    """Return `count` different classes for each of `BLOCK` items, every choice equally likely (Floyd's sampling)."""
    chosen = np.full((BLOCK, count), -1)
    for place, last in enumerate(range(classes - count, classes)):
        drawn = random.integers(0, last + 1, BLOCK)
        taken = (chosen == drawn[:, None]).any(axis=1)
        chosen[:, place] = np.where(taken, last, drawn)
    return chosen


def _matrix(labels: np.ndarray, classes: int) -> np.ndarray:
    matrix = np.zeros((len(labels), classes), bool)
    np.put_along_axis(matrix, labels, True, axis=1)
    return matrix
