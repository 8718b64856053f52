"""What a final job has in hand once its numbers are made: what the exhibits of a report are drawn from."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from evenrank.codes import Codes
from evenrank.counting import Items
from evenrank.dataset import Dataset
from evenrank.relevance import Relevance
from evenrank.result import Result
from evenrank.split import Split


class Search(NamedTuple):
    """The items of one split that ask, those that are searched, and what came of it."""

    split: Split
    asks: str  # modality of the queries
    answers: str  # modality of what is searched
    queries: Items
    database: Items
    relevance: Relevance
    own: np.ndarray  # each query's own row in the database, -1 where it has none
    result: Result
    seconds: float = 0.0  # that encoding took

    @property
    def bytes(self) -> int:
        """Return the size of one item of the database."""
        if isinstance(self.database, Codes):
            return int(self.database.packed.shape[1])
        return self.database.dimensions * self.database.values.itemsize


class Fit(NamedTuple):
    """How long learning took, and from how many items."""

    seconds: float
    items: int


class Final(NamedTuple):
    """The dataset, all results by what was searched, the first search of each, how long all took, the data's folder."""

    data: Dataset
    found: dict[str, list[Result]]
    first: dict[str, Search]
    fits: list[Fit]
    encoded: list[tuple[float, int]]  # seconds and items of every encoding
    folder: Path

    def add(self, what: str, search: Search) -> None:
        """Take in a search; the codes of all but the first of a kind are let go."""
        self.found.setdefault(what, []).append(search.result)
        self.first.setdefault(what, search)
        if search.seconds:
            self.encoded.append((search.seconds, len(search.queries) + len(search.database)))
