"""The float32 filter: half the time for a product that decides nearly every comparison with an edge.

All keys are integers that float64 holds exactly. A float32 product p of integer rows q and x misses the true q · x by
at most γ(d + 2) |q| |x|, where u = 2⁻²⁴ and γ(n) = n u / (1 - n u): two roundings of the inputs and d of products and
sums, in any order, fused or not (Higham, Accuracy and Stability of Numerical Algorithms, chapter 3), times the sum of
all |qᵢ xᵢ|, which is at most |q| |x|. Rounding the bias b and the difference b - p adds at most
u |b| + u (|b| + |p|) (1 + u). So a key is off by less than

    margin = γ(d + 4) |q| max |x| + 3 u max |b|,

the float64 evaluation of which is covered, too: γ(d + 4) exceeds what is needed by u, far more than float64 rounds.
Coordinates are 0 or at least 1, and at most 2²⁷: no overflow, no underflow. A pair whose key is farther than the margin
from every edge is decided; the others are computed again in float64, where they are exact.
"""

from __future__ import annotations

import numpy as np
from numba import njit

ROUNDING = 2.0**-24  # unit roundoff of float32
AGAIN = 0.02  # share of pairs to be computed again from which on the filter loses
SAMPLE = (64, 2048)  # queries and rows
EXACT = {"reassoc", "contract"}  # any order of summation gives the same integer


def filter_margin(queries: np.ndarray, database: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Return, for each query, how far a key from a float32 product can be off."""
    roundings = (queries.shape[1] + 4) * ROUNDING
    gamma = roundings / (1 - roundings) if roundings < 0.5 else np.inf
    norm = np.sqrt(np.einsum("nd,nd->n", queries, queries))
    largest = np.sqrt(np.einsum("nd,nd->n", database, database).max())
    margin: np.ndarray = gamma * norm * largest + 3 * ROUNDING * np.abs(bias).max()
    return margin


def filter_pays(
    queries: np.ndarray,
    database: np.ndarray,
    bias: np.ndarray,
    edges: np.ndarray,
    starts: np.ndarray,
    margin: np.ndarray,
) -> bool:
    """Return whether few enough pairs of a sample are too near an edge for float32."""
    if not np.isfinite(margin).all():
        return False
    some = np.unique(np.linspace(0, len(queries) - 1, SAMPLE[0]).astype(int))
    rows = np.unique(np.linspace(0, len(database) - 1, SAMPLE[1]).astype(int))
    products, doubtful = queries[some] @ database[rows].T, 0
    for q, product in zip(some, products, strict=True):
        keys, mine = bias[rows] - product, edges[starts[q] : starts[q + 1]]
        doubtful += int(
            np.count_nonzero(
                np.searchsorted(mine, keys - margin[q]) < np.searchsorted(mine, keys + margin[q], side="right")
            )
        )
    return doubtful <= AGAIN * len(some) * len(rows)


@njit(cache=True, nogil=True, fastmath=EXACT)
def exact_key(query: np.ndarray, row: np.ndarray, bias: float) -> float:
    """Return bias - query · row; integers so small that no partial sum rounds."""
    total = 0.0
    for i in range(len(query)):
        total += query[i] * row[i]
    return bias - total
