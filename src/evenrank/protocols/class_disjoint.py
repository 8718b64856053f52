"""Classes that training never saw, as metric learning is tested (paper 5, §3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.dataset import Dataset
from evenrank.parameters import Integer
from evenrank.protocol import Protocol
from evenrank.split import Split

UNSEEN = (
    ("train", "validation"),
    ("train", "query"),
    ("train", "database"),
    ("validation", "query"),
    ("validation", "database"),
)


@dataclass(frozen=True)
class ClassDisjoint(Protocol):
    """The second half of the classes searches itself; the first half trains and validates, by class-disjoint folds.

    Classes are in the order of their numbers. Of the first half, each fold validates on one stretch (the last quarter,
    the first, …) and trains on the others; 100 classes of CUB give 75 and 25. A query's own row is left out.
    """

    title = "Class-disjoint halves"
    paper = "5, §3.1"
    metrics = ("P@1", "Rprec", "MAP@R")

    folds: Annotated[int, Integer(2)] = 4

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split a fold: other training and validation classes, the same test half."""
        if dataset.labels is None or dataset.multilabel:
            raise ValueError(f"class_disjoint needs one label an item; {dataset.name} has {_labels(dataset)}")
        classes = np.unique(dataset.labels)
        half = len(classes) // 2
        if half < self.folds:
            raise ValueError(f"folds of class_disjoint must be at most half of the classes, {half}; got {self.folds}")
        test = np.isin(dataset.labels, classes[half:])
        for fold in range(self.folds):
            # The list of classes is rotated to start at fold / folds of its length; the last stretch validates.
            stretch = (fold - 1) % self.folds
            held = classes[stretch * half // self.folds : (stretch + 1) * half // self.folds]
            known = np.setdiff1d(classes[:half], held)
            yield Split(
                f"fold {fold}",
                len(dataset),
                query=test,
                database=test,
                train=np.isin(dataset.labels, known),
                validation=np.isin(dataset.labels, held),
                shares=(("query", "database"),),
                unseen=UNSEEN,
                classes=tuple(known.tolist()),
            )

    @property
    def statement(self) -> str:
        """One line."""
        return (
            "the second half of the classes searches itself, own row left out; the first half trains and validates "
            f"by {self.folds} class-disjoint folds"
        )


def _labels(dataset: Dataset) -> str:
    return "several" if dataset.multilabel else "none"
