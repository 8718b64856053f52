"""What a split does not promise but lets through: shared items and classes, duplicates, and data that skews results.

    for finding in check(dataset, split):
        print(finding.severity, finding.text)

One file a question; each yields `Finding`s.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evenrank.counting.blocks import as_bytes
from evenrank.dataset import Dataset
from evenrank.leaks.coverage import empty_parts, missing_labels
from evenrank.leaks.descriptors import descriptors
from evenrank.leaks.duplicates import duplicates, first_rows
from evenrank.leaks.finding import Finding as Finding
from evenrank.leaks.near import Progress, near_duplicates
from evenrank.leaks.order import class_order
from evenrank.leaks.overlap import shared_classes, shared_items
from evenrank.leaks.values import odd_values
from evenrank.split import Split

NEAR = 0.6  # chosen on CIFAR-10 by eye: benchmarks/duplicates_cifar10.py


@dataclass(frozen=True, eq=False)
class Fingerprints:
    """What tells the items of a dataset apart; made once where many splits of it are checked."""

    dataset: Dataset

    @cached_property
    def first(self) -> dict[str, np.ndarray]:
        """For every modality the first row with the content of each row."""
        return {name: first_rows(values) for name, values in self.dataset.modalities.items()}

    @cached_property
    def vectors(self) -> dict[str, np.ndarray]:
        """The descriptors of every modality that has them."""
        made = {name: descriptors(values) for name, values in self.dataset.modalities.items()}
        return {name: vectors for name, vectors in made.items() if vectors is not None}


def check(
    dataset: Dataset,
    split: Split,
    *,
    near: float = NEAR,
    memory: str | int = "1GB",
    progress: Progress | None = None,
    fingerprints: Fingerprints | None = None,
) -> list[Finding]:
    """Return what was found, leaks first.

    A query is a near-duplicate if its nearest item in train or database is closer than `near` × the median distance of
    such items to their own nearest; 0 leaves that search out. `memory` bounds what the search takes beyond the data.

    >>> from evenrank.dataset import dataset
    >>> digits = dataset("digits")
    >>> split = Split("careless", len(digits), query=range(100), database=range(50, 1797))
    >>> [finding] = (each for each in check(digits, split) if each.severity == "leak")
    >>> finding.text
    'items of query that are in database too, which the split does not promise: 50 of 100'
    """
    if not 0 <= near <= 1:
        raise ValueError(f"near must be a number from 0 to 1; got {near!r}")
    if split.items != len(dataset):
        raise ValueError(f"split {split.name!r} is of {split.items} items; {dataset.name} has {len(dataset)}")
    prints = fingerprints or Fingerprints(dataset)
    found = [
        *shared_items(split),
        *shared_classes(dataset, split),
        *duplicates(split, prints.first),
        *(near_duplicates(split, prints.first, prints.vectors, near, as_bytes(memory), progress) if near else ()),
        *missing_labels(dataset, split),
        *class_order(dataset, split),
        *odd_values(dataset, split),
        *empty_parts(split),
    ]
    return sorted(found, key=lambda finding: ("leak", "warning", "note").index(finding.severity))
