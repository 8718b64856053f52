"""Queries set aside at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from evenrank.dataset import Dataset
from evenrank.parameters import Integer, Real
from evenrank.protocol import Protocol, order
from evenrank.split import Split


@dataclass(frozen=True)
class HoldOut(Protocol):
    """A random share of the items queries all others, which also train."""

    title = "Query/database hold-out"
    paper = ""
    metrics = ("AP",)

    share: Annotated[float, Real(0.0, 1.0)] = 0.2
    seed: Annotated[int, Integer(0)] = 0

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split."""
        places = order(len(dataset), self.seed)
        count = round(self.share * len(dataset))
        if not 0 < count < len(dataset):
            raise ValueError(f"share of hold_out must leave queries and database; got {count} of {len(dataset)} items")
        query, rest = places[:count], places[count:]
        yield Split("hold-out", len(dataset), query, rest, train=rest, seed=self.seed, shares=(("train", "database"),))

    @property
    def statement(self) -> str:
        """One line."""
        return f"{self.share:.0%} of the items query all others, which train too"
