"""Rules in which each query has judgements of its own: a sparse matrix (queries, database) of level indexes."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from evenrank.kernels.lists import Lists
from evenrank.relevance.relevance import Rows, chosen


def judged_lists(judged: csr_array, levels: int) -> Lists:
    """Return one list a query and level it gave, with the level index as weight."""
    counts = np.diff(judged.indptr)
    query = np.repeat(np.arange(len(counts)), counts)
    key = query * levels + judged.data
    order = np.argsort(key, kind="stable")  # by query, level, row
    key = key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    keys = key[starts]
    return Lists(
        rows=judged.indices[order].astype(np.int64),
        starts=np.append(starts, len(key)),
        members=np.arange(len(keys)),
        member_starts=np.searchsorted(keys // levels, np.arange(len(counts) + 1)),
        weights=keys % levels,
        levels=levels,
    )


def judged_part(judged: csr_array, queries: Rows, items: Rows = None) -> csr_array:
    """Return the judgements of some queries on some items, by row."""
    part = judged if queries is None else judged[chosen(queries)]
    part = part if items is None else part[:, chosen(items)]
    part.sort_indices()
    return part


def levels_of(values: np.ndarray) -> np.ndarray:
    """Return 0 and the distinct values, ascending; 0 and 1 where nothing is relevant, so that there is a level."""
    distinct = np.unique(values)
    distinct = distinct[distinct > 0]
    return np.concatenate(([0], distinct if len(distinct) else [1])).astype(np.int64)
