"""So many queries and training items of every class: the shape of CIFAR-10's setting 1, for any labelled data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from evenrank.dataset import Dataset
from evenrank.parameters import Integer
from evenrank.protocol import Protocol, drawn_split
from evenrank.split import Split


@dataclass(frozen=True)
class PerClass(Protocol):
    """So many items of each class query all others, of which so many of each class train (the 22,019 GIST rows)."""

    title = "So many of each class"
    paper = "1, §5.1"
    metrics = ("AP",)

    queries: Annotated[int, Integer(1)] = 100
    training: Annotated[int, Integer(1)] = 500
    seed: Annotated[int, Integer(0)] = 0

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split."""
        yield drawn_split("per class", dataset, self.queries, self.training, self.seed)

    @property
    def statement(self) -> str:
        """One line."""
        return (
            f"{self.queries} random items of each class query all others, of which {self.training} of each class train"
        )
