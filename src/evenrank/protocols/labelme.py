"""22K LabelMe: unlabelled images, relevant by distance (paper 1, §5.1 and §5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.dataset import Dataset
from evenrank.formats.images import ImageFiles
from evenrank.parameters import Integer
from evenrank.protocol import Protocol, order
from evenrank.relevance import Relevance, WithinDistance
from evenrank.split import Split


@dataclass(frozen=True)
class LabelMe(Protocol):
    """2,000 random queries, all others searched, 5,000 of them train; four levels by distance of the features.

    Features are centred on the training mean and scaled to unit length. The distances within which 5, 1, 0.2 and
    0.1 % of the training pairs lie give levels 1, 2, 5 and 10 (plain Euclidean distances: published code compares
    squared distances with them).
    """

    title = "22K LabelMe"
    paper = "1, §5.1"
    metrics = ("nDCG",)

    queries: Annotated[int, Integer(1)] = 2000
    training: Annotated[int, Integer(2)] = 5000
    seed: Annotated[int, Integer(0)] = 0

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split."""
        if len(dataset) < self.queries + self.training:
            needed = self.queries + self.training
            raise ValueError(f"labelme needs {needed} items to query and train; {dataset.name} has {len(dataset)}")
        places = order(len(dataset), self.seed)
        query, rest = places[: self.queries], places[self.queries :]
        train = rest[: self.training]
        yield Split("LabelMe", len(dataset), query, rest, train, seed=self.seed, shares=(("train", "database"),))

    def relevance(self, dataset: Dataset, split: Split) -> Relevance:
        """Return levels by distance of the first modality's features."""
        features = next(iter(dataset.modalities.values()))
        if isinstance(features, ImageFiles) or features.ndim != 2:
            raise ValueError(f"labelme compares features, one row an item; {dataset.name} has none")
        centred = features - features[split.train].mean(axis=0, dtype=np.float64)
        lengths = np.linalg.norm(centred, axis=1, keepdims=True)
        unit = centred / np.where(lengths > 0, lengths, 1)
        return WithinDistance(unit[split.query], unit[split.database], unit[split.train], sample=len(split.train))

    @property
    def statement(self) -> str:
        """One line."""
        return (
            f"{self.queries:,} random items query all others, of which {self.training:,} train; "
            "levels 1, 2, 5, 10 within the closest 5, 1, 0.2, 0.1% of training distances"
        )
