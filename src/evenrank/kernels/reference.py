"""The kernels, slow and obvious: what each backend must return, in numpy, one query at a time.

Codes are packed bytes (uint8, unused bits of the last byte zero). Real-valued rows are integers held in float64
(`Embeddings` makes them so), and the key of a pair is `bias[row] - query · row`: exact, smaller is nearer.
"""

from __future__ import annotations

import numpy as np

from evenrank.kernels.lists import Lists


def hamming_counts(queries: np.ndarray, database: np.ndarray, bits: int, lists: Lists) -> np.ndarray:
    """Return (queries, bits + 1, levels) int64: items of each level at each Hamming distance."""
    counts = np.zeros((len(queries), bits + 1, lists.levels), np.int64)
    pair_query, pair_row, pair_level = lists.pairs()
    for q, code in enumerate(queries):
        mine = pair_query == q
        level = np.zeros(len(database), np.int64)
        level[pair_row[mine]] = pair_level[mine]
        np.add.at(counts[q], (distances(code, database), level), 1)
    return counts


def hamming_pairs(
    queries: np.ndarray, database: np.ndarray, query_rows: np.ndarray, database_rows: np.ndarray
) -> np.ndarray:
    """Return the Hamming distance of each pair (query_rows[p], database_rows[p]), int64."""
    return distances(queries[query_rows], database[database_rows])


def real_pairs(
    queries: np.ndarray, database: np.ndarray, bias: np.ndarray, query_rows: np.ndarray, database_rows: np.ndarray
) -> np.ndarray:
    """Return the key of each pair (query_rows[p], database_rows[p]), float64 holding an exact integer."""
    return bias[database_rows] - np.einsum("pd,pd->p", queries[query_rows], database[database_rows])


def real_counts(
    queries: np.ndarray, database: np.ndarray, bias: np.ndarray, edges: np.ndarray, starts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (below, equal), int64, one entry per edge: database items whose key is below it, and equal to it.

    `edges[starts[q]:starts[q + 1]]` are query q's edges, ascending and distinct.
    """
    below, equal = np.zeros(len(edges), np.int64), np.zeros(len(edges), np.int64)
    for q, query in enumerate(queries):
        mine = slice(starts[q], starts[q + 1])
        keys = np.sort(bias - database @ query)
        below[mine] = np.searchsorted(keys, edges[mine], side="left")
        equal[mine] = np.searchsorted(keys, edges[mine], side="right") - below[mine]
    return below, equal


def occupancy(
    queries: np.ndarray, codes: np.ndarray, multiplicity: np.ndarray, radius: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (occupied, largest, spread), each (queries, radius + 1), of the distinct `codes` at each distance.

    occupied: how many there are (int64); largest: their largest multiplicity (int64, 0 if none);
    spread: sum of c log c over their multiplicities c (float64).
    """
    shape = (len(queries), radius + 1)
    occupied, largest, spread = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape)
    for q, code in enumerate(queries):
        distance = distances(code, codes)
        for d in range(radius + 1):
            c = multiplicity[distance == d]
            occupied[q, d], largest[q, d], spread[q, d] = len(c), c.max(initial=0), np.sum(c * np.log(c))
    return occupied, largest, spread


def distances(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the Hamming distances of packed codes, int64, broadcast over rows."""
    return np.bitwise_count(a ^ b).sum(axis=-1, dtype=np.int64)
