"""Judged collections: each query searches all documents (TREC, BEIR)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evenrank.dataset import Dataset
from evenrank.protocol import Protocol
from evenrank.split import Split


@dataclass(frozen=True)
class Judged(Protocol):
    """The queries of a judged collection search its documents; nothing trains."""

    title = "Judged collection"
    paper = ""
    metrics = ("nDCG@10", "AP", "R@100")

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield one split."""
        query = dataset.extras.get("query")
        if query is None or dataset.judgements is None:
            raise ValueError(f"{dataset.name} is not a judged collection: it says neither queries nor judgements")
        yield Split("judged", len(dataset), np.asarray(query), ~np.asarray(query))

    @property
    def statement(self) -> str:
        """One line."""
        return "every query searches all documents; levels as judged; nothing trains"
