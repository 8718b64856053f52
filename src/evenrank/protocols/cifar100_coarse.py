"""CIFAR-100 searched by superclass (paper 2, §5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenrank.dataset import Dataset
from evenrank.protocol import Protocol, official_split
from evenrank.relevance import Relevance, SameLabel
from evenrank.split import Split


@dataclass(frozen=True)
class CIFAR100Coarse(Protocol):
    """The official 10,000 query the official 50,000; relevant is what has the query's superclass."""

    title = "CIFAR-100, coarse"
    paper = "2, §5.1"
    metrics = ("AP", "LGAP@2")

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split."""
        yield official_split("coarse", dataset)

    def relevance(self, dataset: Dataset, split: Split) -> Relevance:
        """Return which items share the superclass."""
        if dataset.superclasses is None:
            raise ValueError(f"{dataset.name} has no superclasses, by which cifar100_coarse judges")
        return SameLabel(dataset.superclasses[split.query], dataset.superclasses[split.database])

    @property
    def statement(self) -> str:
        """One line."""
        return (
            "the official test part queries the official training part, all of which trains; relevant: same superclass"
        )
