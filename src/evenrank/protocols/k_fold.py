"""Plain k-fold cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.dataset import Dataset
from evenrank.parameters import Integer
from evenrank.protocol import Protocol, order
from evenrank.split import Split


@dataclass(frozen=True)
class KFold(Protocol):
    """Each of k random folds in turn queries all others, which also train."""

    title = "k-fold"
    paper = ""
    metrics = ("AP",)

    folds: Annotated[int, Integer(2)] = 5
    seed: Annotated[int, Integer(0)] = 0

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split a fold."""
        if len(dataset) < self.folds:
            raise ValueError(f"folds of k_fold must be at most the items, {len(dataset)}; got {self.folds}")
        shares = (("train", "database"),)
        for fold, query in enumerate(np.array_split(order(len(dataset), self.seed), self.folds)):
            rest = np.setdiff1d(np.arange(len(dataset)), query)
            yield Split(f"fold {fold}", len(dataset), query, rest, rest, seed=self.seed, shares=shares)

    @property
    def statement(self) -> str:
        """One line."""
        return f"each of {self.folds} random folds queries the others, which train too"
