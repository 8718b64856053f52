"""ImageNet100: the validation images of a hundred classes search the training images (HashNet; paper 1, §5.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.dataset import Dataset
from evenrank.parameters import Integer
from evenrank.protocol import Protocol, drawn, official, order
from evenrank.split import Split


@dataclass(frozen=True)
class ImageNet100(Protocol):
    """All validation images query all training images, of which 130 of each class train.

    Where the dataset lists its training images (`extras["listed_train"]`), those train; else they are drawn. (Paper 1
    says "130 images per class, totaling 130K"; the lists it follows hold 13,000.)
    """

    title = "ImageNet100"
    paper = "1, §5.1"
    metrics = ("AP(divisor=retrieved)@1000",)

    training: Annotated[int, Integer(1)] = 130
    seed: Annotated[int, Integer(0)] = 0

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split."""
        database = official(dataset)
        train = dataset.extras.get("listed_train")
        if train is None:
            places = order(len(dataset), self.seed)
            places = places[database[places]]
            train = drawn(dataset.memberships, self.training, places, "the training part of imagenet100")
        shares = (("train", "database"),)
        yield Split("ImageNet100", len(dataset), ~database, database, np.asarray(train), seed=self.seed, shares=shares)

    @property
    def statement(self) -> str:
        """One line."""
        return f"all validation images query all training images, of which {self.training} of each class train"
