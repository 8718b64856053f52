"""The graph that joins every item with its nearest neighbours, as the Laplacian by which methods read it.

    tr(Fᵀ L F) = Σ over edges (i, j) |f_i − f_j|²

is small where near items have similar values f. An edge is there if either item is among the other's nearest.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import laplacian


def neighbour_laplacian(x: np.ndarray, neighbours: int) -> csr_array:
    """Return L (items, items), sparse, by Euclidean distance; an item is no neighbour of its own."""
    from sklearn.neighbors import kneighbors_graph

    if len(x) < 2:
        return csr_array((len(x), len(x)))
    near = kneighbors_graph(x, min(neighbours, len(x) - 1))
    return csr_array(laplacian(near.maximum(near.T)))
