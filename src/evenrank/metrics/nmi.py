"""Normalised mutual information of k-means clusters and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from evenrank.clusters import Clusters
from evenrank.metric import Metric, Reads
from evenrank.parameters import Integer


@dataclass(frozen=True)
class NormalizedMutualInformation(Metric):
    """Mutual information of clusters and labels, divided by the mean of their entropies; 1 if they agree.

    Read it with care (paper 5, section 2.2): it depends on the clustering algorithm and its seed, and embeddings of
    very different quality can score alike. With many classes it is high even for untrained networks; `AMI` is
    corrected for that.

    >>> NormalizedMutualInformation().measure(Clusters([[0.0], [0.1], [5.0], [5.1]], [3, 3, 7, 7]))
    1.0
    """

    names: ClassVar[tuple[str, ...]] = ("NMI",)
    aliases: ClassVar[dict[str, str]] = {"normalized_mutual_information": "NMI"}
    reads: ClassVar[Reads] = "clusters"

    seed: Annotated[int, Integer(0, 2**32 - 1)] = 0

    @property
    def needs_relevant(self) -> bool:
        """Return False: labels are compared with clusters, not with queries."""
        return False

    def measure(self, clusters: Clusters) -> float:
        """Return NMI of the clusters that k-means finds."""
        from sklearn.metrics import normalized_mutual_info_score

        return float(normalized_mutual_info_score(clusters.labels, clusters.predicted(self.seed)))
