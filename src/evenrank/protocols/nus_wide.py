"""NUS-WIDE with its most frequent labels (paper 1, §5.1 and §5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from evenrank.dataset import Dataset
from evenrank.parameters import Integer
from evenrank.protocol import Protocol, drawn_split
from evenrank.relevance import Relevance, SharedLabels
from evenrank.split import Split


@dataclass(frozen=True)
class NUSWide(Protocol):
    """100 items of each of 21 labels query, 500 of each train; the level of a pair is the number of labels it shares.

    An item counts for one label only: labels choose from the rarest on, and no item is chosen twice, so there are 2,100
    queries and 10,500 training items. Binary metrics take one shared label for relevant.
    """

    title = "NUS-WIDE-21"
    paper = "1, §5.1"
    metrics = ("AP", "AP(divisor=retrieved)@5000", "nDCG")

    seed: Annotated[int, Integer(0)] = 0

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split."""
        yield drawn_split("NUS-WIDE", dataset, 100, 500, self.seed)

    def relevance(self, dataset: Dataset, split: Split) -> Relevance:
        """Return the numbers of shared labels."""
        return SharedLabels(dataset.memberships[split.query], dataset.memberships[split.database], graded=True)

    @property
    def statement(self) -> str:
        """One line."""
        return "100 random items of each label query all others, of which 500 of each label train; level: labels shared"
