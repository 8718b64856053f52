"""The publisher's own parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenrank.dataset import Dataset
from evenrank.protocol import Protocol, official_split
from evenrank.split import Split


@dataclass(frozen=True)
class Official(Protocol):
    """The official test part queries the official training part."""

    title = "Official parts"
    paper = ""
    metrics = ("AP",)

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split."""
        yield official_split("official", dataset)

    @property
    def statement(self) -> str:
        """One line."""
        return "the official test part queries the official training part, all of which trains"
