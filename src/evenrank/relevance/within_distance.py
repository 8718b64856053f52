"""Relevant is what lies close in a space of features: unlabelled data (LabelMe in paper 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack

from evenrank.embeddings import Embeddings, FixedPoint, fixed_point
from evenrank.kernels.lists import Lists
from evenrank.relevance.features import as_features, check_dimensions, key_sums
from evenrank.relevance.judged import judged_lists
from evenrank.relevance.relevance import Relevance, Rows, chosen


class WithinDistance(Relevance):
    """Level of the tightest threshold that the distance of a pair meets (distance ≤ threshold).

    `thresholds` are the quantiles `shares` of the distances between training items (each pair once, linear
    interpolation), so level 1 by default is closer than 95 % of the training pairs. They are plain distances, and
    compared with plain ones: published code compared them with squares. Of more than `sample` training rows, that many
    are drawn with `seed`.

    >>> import numpy as np
    >>> line = np.arange(5.0)[:, None]
    >>> within = WithinDistance(line[:1], line, line, shares=(0.7, 0.4), levels=(1, 3))
    >>> within.thresholds.round(3).tolist(), within.levels[within.block()].tolist()
    ([2.3, 1.6], [[3, 3, 1, 0, 0]])
    """

    def __init__(
        self,
        query_features: Any,
        database_features: Any,
        train_features: Any,
        shares: Sequence[float] = (0.05, 0.01, 0.002, 0.001),
        levels: Sequence[int] = (1, 2, 5, 10),
        distance: str = "euclidean",
        *,
        sample: int = 5000,
        seed: int = 0,
    ) -> None:
        self._queries = as_features(query_features, "query_features of WithinDistance", distance)
        self._database = as_features(database_features, "database_features of WithinDistance", distance)
        train = as_features(train_features, "train_features of WithinDistance", distance)
        check_dimensions(
            "WithinDistance", query_features=self._queries, database_features=self._database, train_features=train
        )
        _check_steps(shares, levels)
        if len(train) < 2 or sample < 2:
            raise ValueError(
                f"train_features and sample of WithinDistance must be 2 rows or more; got {len(train)}, {sample}"
            )
        if len(train) > sample:
            train = train[np.sort(np.random.default_rng(seed).choice(len(train), sample, replace=False))]
        self.levels = np.array([0, *levels], np.int64)
        self._fixed = fixed_point(self._queries, self._database, train)
        self.thresholds = np.quantile(_pair_distances(self._fixed, train), shares)

    @property
    def shape(self) -> tuple[int, int]:
        """(queries, database items)."""
        return len(self._queries), len(self._database)

    def relevant(self, queries: Rows = None) -> Lists:
        """Return one list a query and level, found tile by tile."""
        chosen_queries = self._queries[chosen(queries)]
        tiles = [csr_array(tile) for tile in self._tiles(chosen_queries, self._database)]
        return judged_lists(hstack(tiles, format="csr"), len(self.levels))

    def block(self, queries: Rows = None, items: Rows = None) -> np.ndarray:
        """Return the level index of every pair, (queries, items) int64."""
        return np.hstack(list(self._tiles(self._queries[chosen(queries)], self._database[chosen(items)])))

    def take(self, queries: Rows = None, items: Rows = None) -> WithinDistance:
        """Return the rule, with the same thresholds, on some queries and database items."""
        part = copy(self)  # the fixed point stays, so distances do too
        part._queries, part._database = self._queries[chosen(queries)], self._database[chosen(items)]
        return part

    def _tiles(self, queries: Embeddings, database: Embeddings) -> Iterator[np.ndarray]:
        """Yield the level indexes of consecutive database rows: the number of thresholds met, since they are nested."""
        for _, sums in key_sums(self._fixed, queries, database):
            distances = self._fixed.distances(sums)
            level = np.zeros(distances.shape, np.int64)
            for threshold in self.thresholds:
                level += distances <= threshold
            yield level


def _check_steps(shares: Sequence[float], levels: Sequence[int]) -> None:
    if len(shares) != len(levels) or not len(shares):
        raise ValueError(
            f"shares and levels of WithinDistance must be equally many; got {len(shares)} and {len(levels)}"
        )
    falls = all(a > b for a, b in pairwise(shares)) and shares[-1] > 0 and shares[0] < 1
    if not falls:
        raise ValueError(f"shares of WithinDistance must fall, between 1 and 0; got {tuple(shares)}")
    rises = all(a < b for a, b in pairwise(levels)) and levels[0] >= 1
    if not rises or any(int(level) != level for level in levels):
        raise ValueError(f"levels of WithinDistance must be rising whole numbers from 1; got {tuple(levels)}")


def _pair_distances(fixed: FixedPoint, train: Embeddings) -> np.ndarray:
    """Return the distance of every unordered pair of rows once."""
    parts = []
    for first, sums in key_sums(fixed, train, train):
        below = np.tri(len(train), sums.shape[1], -first - 1, dtype=bool)  # rows after the column's own
        parts.append(fixed.distances(sums[below]))
    return np.concatenate(parts)
