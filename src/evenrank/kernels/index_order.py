"""Ranking by (distance, row): what tools do that break ties by the order in which the database lies.

The one place where queries × database distances are laid out, a query at a time. It exists to reproduce such tools'
numbers, so it is plain rather than fast.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def index_below(
    keys: Iterable[np.ndarray],
    edges: np.ndarray,
    edge_rows: np.ndarray,
    starts: np.ndarray,
    first: int,
) -> np.ndarray:
    """Return how many items of a shard come before each edge (key, row), int64.

    `keys` yields query after query the keys of the shard's rows, which are numbered from `first`; query q's edges are
    `edges[starts[q]:starts[q + 1]]` and their rows `edge_rows` there.
    """
    below = np.zeros(len(edges), np.int64)
    for q, key in enumerate(keys):
        mine = slice(starts[q], starts[q + 1])
        order = np.argsort(key, kind="stable")
        nearer = np.searchsorted(key[order], edges[mine], side="left")
        not_farther = np.searchsorted(key[order], edges[mine], side="right")
        rank = np.empty(len(key), np.int64)
        rank[order] = np.arange(len(key))
        row = edge_rows[mine] - first
        inside = (row >= 0) & (row < len(key))
        outside = np.where(row < 0, nearer, not_farther)
        below[mine] = np.where(inside, rank[np.clip(row, 0, len(key) - 1)], outside)
    return below
