"""Pairwise F1 of k-means clusters and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from evenrank.clusters import Clusters
from evenrank.metric import Metric, Reads
from evenrank.parameters import Integer


@dataclass(frozen=True)
class ClusterF1(Metric):
    """F1 over pairs of items: a pair in one cluster is retrieved, a pair of one label is relevant.

    F1 = 2 · pairs in one cluster and of one label / (pairs in one cluster + pairs of one label); 1 if there are none.

    Read it with care (paper 5, section 2.2): it depends on the clustering algorithm and its seed, and embeddings of
    very different quality can score alike.

    >>> ClusterF1().measure(Clusters([[0.0], [0.1], [5.0], [5.1]], [3, 3, 7, 7]))
    1.0
    """

    names: ClassVar[tuple[str, ...]] = ("ClusterF1", "cluster_f1")
    aliases: ClassVar[dict[str, str]] = {}
    reads: ClassVar[Reads] = "clusters"

    seed: Annotated[int, Integer(0, 2**32 - 1)] = 0

    @property
    def needs_relevant(self) -> bool:
        """Return False: labels are compared with clusters, not with queries."""
        return False

    def measure(self, clusters: Clusters) -> float:
        """Return ClusterF1 of the clusters that k-means finds."""
        predicted = clusters.predicted(self.seed)
        overlap = np.unique(np.stack([clusters.labels, predicted]), axis=1, return_counts=True)[1]
        both = _pairs(overlap)
        either = _pairs(np.bincount(clusters.labels)) + _pairs(np.bincount(predicted))
        return 2 * both / either if either else 1.0


def _pairs(sizes: np.ndarray) -> int:
    return int((sizes * (sizes - 1)).sum()) // 2
