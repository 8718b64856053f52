"""Relevance given outright: a level for every pair."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from evenrank.kernels.lists import Lists
from evenrank.relevance.judged import judged_lists, judged_part, levels_of
from evenrank.relevance.nonzero import nonzero, refuse
from evenrank.relevance.relevance import Relevance, Rows


class Graded(Relevance):
    """Levels from a matrix (queries, database) of non-negative whole numbers, dense or scipy sparse.

    `levels` are 0 and the distinct numbers there. Only what is above 0 is kept, so a memory map may be larger than
    memory.

    >>> graded = Graded([[0, 5, 2], [0, 0, 5]])
    >>> graded.levels.tolist(), graded.block().tolist()
    ([0, 2, 5], [[0, 2, 1], [0, 0, 2]])
    """

    def __init__(self, matrix: Any) -> None:
        given = nonzero(matrix, "matrix of Graded")
        # not (x > 0) rather than x < 0: NaN is refused too
        wrong = ~(given.data > 0) | (given.data != np.rint(given.data)) | (given.data >= 2.0**63)
        refuse(given, wrong, "matrix of Graded must be whole numbers of at least 0")
        self.levels = levels_of(given.data)
        given.data = np.searchsorted(self.levels, given.data).astype(np.int32)
        self._judged = given

    @property
    def shape(self) -> tuple[int, int]:
        """(queries, database items)."""
        queries, database = self._judged.shape
        return queries, database

    def relevant(self, queries: Rows = None) -> Lists:
        """Return one list a query and level."""
        return judged_lists(judged_part(self._judged, queries), len(self.levels))

    def take(self, queries: Rows = None, items: Rows = None) -> Graded:
        """Return the levels of some queries and database items."""
        part = copy(self)
        part._judged = judged_part(self._judged, queries, items)
        return part
