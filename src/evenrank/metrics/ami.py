"""Adjusted mutual information of k-means clusters and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from evenrank.clusters import Clusters
from evenrank.metric import Metric, Reads
from evenrank.parameters import Integer


@dataclass(frozen=True)
class AdjustedMutualInformation(Metric):
    """Mutual information of clusters and labels above what chance gives; 1 if they agree, about 0 for random clusters.

    AMI = (MI - E MI) / (mean of the entropies - E MI) (Vinh, Epps and Bailey 2010).

    Read it with care (paper 5, section 2.2): it depends on the clustering algorithm and its seed, and embeddings of
    very different quality can score alike.

    >>> AdjustedMutualInformation().measure(Clusters([[0.0], [0.1], [5.0], [5.1]], [3, 3, 7, 7]))
    1.0
    """

    names: ClassVar[tuple[str, ...]] = ("AMI",)
    aliases: ClassVar[dict[str, str]] = {"adjusted_mutual_information": "AMI"}
    reads: ClassVar[Reads] = "clusters"

    seed: Annotated[int, Integer(0, 2**32 - 1)] = 0

    @property
    def needs_relevant(self) -> bool:
        """Return False: labels are compared with clusters, not with queries."""
        return False

    def measure(self, clusters: Clusters) -> float:
        """Return AMI of the clusters that k-means finds."""
        from sklearn.metrics import adjusted_mutual_info_score

        return float(adjusted_mutual_info_score(clusters.labels, clusters.predicted(self.seed)))
