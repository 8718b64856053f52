"""The two settings in which CIFAR-10 is searched (paper 1, §5.1; paper 2 uses the second)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from evenrank.dataset import Dataset
from evenrank.parameters import Choice, Integer
from evenrank.protocol import Protocol, drawn_split, official_split
from evenrank.split import Split


@dataclass(frozen=True)
class CIFAR10(Protocol):
    """Setting 1: 1,000 queries, 59,000 searched, 5,000 train. Setting 2: the official 10,000 and 50,000, all train."""

    title = "CIFAR-10"
    paper = "1, §5.1"
    metrics = ("AP",)

    setting: Annotated[int, Choice(1, 2)] = 1
    seed: Annotated[int, Integer(0)] = 0

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split."""
        if self.setting == 1:
            yield drawn_split("setting 1", dataset, 100, 500, self.seed)
        else:
            yield official_split("setting 2", dataset)

    @property
    def statement(self) -> str:
        """One line."""
        if self.setting == 1:
            return "100 random items of each class query all others, of which 500 of each class train"
        return "the official test part queries the official training part, all of which trains"
