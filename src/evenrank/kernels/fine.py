"""The fine grid: exact keys of real-valued rows that differ by less than 2⁻²⁶.

A coordinate is two integers, high in units of 2⁻²⁶ (euclidean 2⁻²⁵) and low in units 2²⁰ times finer; a row of d
coordinates is d high ones, then d low ones. The product of two rows has the units of the coarse grid:

    q · x = high · high' + rint((high · low' + low · high' + rint(low · low' / 2²⁰)) / 2²⁰)
    key of a pair = bias[row] - factor (q · x)                          factor 2 for euclidean, else 1

Why it does not depend on order either. The high part is the coarse row, of norm at most r = 2²⁶ + √d / 2, and its
products are exact (see `embeddings`). A low coordinate is at most 2¹⁹, a low row of norm at most 2¹⁹ √d. So any partial
sum of high · low' is at most 2¹⁹ √d r (Cauchy-Schwarz), of low · low' at most 2³⁸ d, and what the outer rint divides at
most 2²⁰ √d r + 2¹⁸ d + 1: for d ≤ 8,192 below 2⁵³, up to where float64 holds every integer. Dividing by 2²⁰ is exact,
and both roundings are of single, exact numbers. So identical rows tie here, too; a product is off by hardly more than
half a unit; and since the factor comes last, the euclidean distance of a row to itself is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

DIMENSIONS = 1 << 13  # at most
FINER = 2.0**20  # low units in a high one
VALUES = 1 << 22  # of a tile of keys


def split(scaled: np.ndarray) -> np.ndarray:
    """Return (n, 2 d) integers in float64, high and low, of rows (n, d) counted in high units."""
    high = np.rint(scaled)
    return np.hstack([high, np.rint((scaled - high) * FINER)])


@dataclass(frozen=True)
class FineKernels:
    """The kernels of a backend that are about real-valued rows, for rows made by `split`; plain rather than fast."""

    factor: int

    def products(self, queries: np.ndarray, database: np.ndarray) -> np.ndarray:
        """Return what each key takes from the row's bias, (queries, rows); (rows,) of a single query."""
        (high, low), (row_high, row_low) = _halves(queries), _halves(database)
        return self._joined(high @ row_high.T, high @ row_low.T + low @ row_high.T, low @ row_low.T)

    def squares(self, rows: np.ndarray) -> np.ndarray:
        """Return the product of each row with itself, without the factor."""
        high, low = _halves(rows)
        parts = [np.einsum("nd,nd->n", a, b) for a, b in ((high, high), (high, low), (low, low))]
        return self._joined(parts[0], 2 * parts[1], parts[2]) / self.factor

    def real_pairs(
        self,
        queries: np.ndarray,
        database: np.ndarray,
        bias: np.ndarray,
        query_rows: np.ndarray,
        database_rows: np.ndarray,
    ) -> np.ndarray:
        """Return the key of each pair (query_rows[p], database_rows[p]), float64 holding an exact integer."""
        keys, step = np.empty(len(query_rows)), max(1, VALUES // database.shape[1])
        for first in range(0, len(keys), step):
            mine = slice(first, first + step)
            high, low = _halves(queries[query_rows[mine]])
            row_high, row_low = _halves(database[database_rows[mine]])
            sides = ((high, row_high), (high, row_low), (low, row_high), (low, row_low))
            parts = [np.einsum("pd,pd->p", a, b) for a, b in sides]
            keys[mine] = bias[database_rows[mine]] - self._joined(parts[0], parts[1] + parts[2], parts[3])
        return keys

    def real_counts(
        self, queries: np.ndarray, database: np.ndarray, bias: np.ndarray, edges: np.ndarray, starts: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (below, equal), int64, one entry per edge: database items whose key is below it, and equal to it.

        `edges[starts[q]:starts[q + 1]]` are query q's edges, ascending and distinct.
        """
        below, equal = np.zeros(len(edges), np.int64), np.zeros(len(edges), np.int64)
        step = max(1, VALUES // len(database))
        for first in range(0, len(queries), step):
            keys = bias - self.products(queries[first : first + step], database)
            keys.sort(axis=1)
            for q, key in enumerate(keys, first):
                mine = slice(starts[q], starts[q + 1])
                below[mine] = np.searchsorted(key, edges[mine], side="left")
                equal[mine] = np.searchsorted(key, edges[mine], side="right") - below[mine]
        return below, equal

    def _joined(self, high: np.ndarray, cross: np.ndarray, low: np.ndarray) -> np.ndarray:
        """Return products from those of the parts."""
        return self.factor * (high + np.rint((cross + np.rint(low / FINER)) / FINER))


def _halves(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the high and the low coordinates."""
    d = rows.shape[-1] // 2
    return rows[..., :d], rows[..., d:]
