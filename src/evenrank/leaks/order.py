"""A database that lies sorted by class.

A tool that breaks ties by row then favours the queries of the first classes: among tied items theirs come first, or
last, all together, and the mean is biased. Expected values over tie orders do not depend on the order.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenrank.dataset import Dataset
from evenrank.leaks.finding import Finding
from evenrank.split import Split

EXCESS = 0.1  # of neighbours with equal labels over what chance gives, 1 being all of them
DEVIATIONS = 4  # what chance does not reach, so that small databases are not accused


def class_order(dataset: Dataset, split: Split) -> Iterator[Finding]:
    """Yield a warning if neighbouring database rows have equal labels clearly more often than in a random order."""
    if dataset.labels is None or len(split.database) < 2:
        return
    _, label, sizes = np.unique(dataset.labels[split.database], axis=0, return_inverse=True, return_counts=True)
    equal = np.flatnonzero(label[1:] == label[:-1])
    pairs = len(label) - 1
    expected = float((sizes * (sizes - 1.0)).sum()) / (len(label) * pairs)
    chance = DEVIATIONS * np.sqrt(expected * (1 - expected) / pairs)
    if len(equal) / pairs - expected > max(EXCESS * (1 - expected), chance):
        text = (
            f"the database lies sorted by class: {len(equal) / pairs:.0%} of neighbouring rows have equal labels, "
            f"{expected:.0%} by chance; whoever breaks ties by row gets a bias"
        )
        yield Finding("class order", "warning", len(equal), text, split.database[equal])
