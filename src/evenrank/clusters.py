"""Clusters: the items grouped by k-means, to be compared with their labels.

Clustering scores measure a clustering algorithm and its seed along with the representation, which retrieval metrics do
not need; they are here because metric-learning papers report them.
"""

from __future__ import annotations

import numpy as np


class Clusters:
    """Items to be clustered into as many groups as there are labels.

    `values` (items, dimensions) real numbers, for binary codes their signs ±1; `labels` (items,).

    >>> found = Clusters([[0.0], [0.1], [5.0], [5.1]], [3, 3, 7, 7]).predicted(seed=0)
    >>> bool(found[0] == found[1] != found[2] == found[3])
    True
    """

    def __init__(self, values: np.ndarray, labels: np.ndarray) -> None:
        values = np.asarray(values)
        names, self.labels = np.unique(np.asarray(labels), return_inverse=True)
        self.count = len(names)
        if values.ndim != 2 or self.labels.shape != (len(values),):
            raise ValueError(
                f"labels of Clusters must be one an item; got values {values.shape} and labels {np.shape(labels)}"
            )
        self.values = values if values.dtype == np.float64 else values.astype(np.float32)
        self._found: dict[int, np.ndarray] = {}  # by seed: several metrics read one clustering

    def predicted(self, seed: int) -> np.ndarray:
        """Return the cluster of each item, (items,): k-means++ and Lloyd's algorithm, one start."""
        from sklearn.cluster import KMeans

        if seed not in self._found:
            means = KMeans(self.count, n_init=1, random_state=seed)
            self._found[seed] = np.asarray(means.fit_predict(self.values))
        return self._found[seed]
