"""What a protocol is: a named, versioned way to split a dataset, with its paper's metrics and its rule of relevance.

One file of `protocols/` holds one. A protocol only yields splits: the same seed gives the same rows on every platform,
because rows are drawn by sorting the raw output of a generator whose stream is fixed, not by a library's shuffle.

>>> import evenrank as er
>>> protocol = er.protocol("hold_out(share=0.1)")
>>> print(protocol)
hold_out/1(share=0.1): 10% of the items query all others, which train too; AP
>>> next(protocol.splits(er.dataset("digits")))
Split(hold-out: 1,617 train, 180 query, 1,617 database)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from evenrank.catalog import make
from evenrank.dataset import Dataset
from evenrank.parameters import validate
from evenrank.relevance import Relevance
from evenrank.split import Split


@dataclass(frozen=True)
class Protocol(ABC):
    """The contract of `protocols/`: class constants say what it is, fields are its options.

    `version` rises whenever the same options and seed would give other rows.
    """

    title: ClassVar[str]
    paper: ClassVar[str]  # where the setting comes from: "1, §5.1"
    version: ClassVar[int] = 1
    metrics: ClassVar[tuple[str, ...]]  # as the paper reports them

    def __post_init__(self) -> None:
        validate(self)

    @abstractmethod
    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield the splits of a dataset."""

    @property
    @abstractmethod
    def statement(self) -> str:
        """One line: who queries whom, and what trains."""

    def relevance(self, dataset: Dataset, split: Split) -> Relevance:
        """Return which database items are relevant to a split's queries; labels decide unless a protocol says else."""
        return dataset.relevance.take(split.query, split.database)

    @property
    def identifier(self) -> str:
        """Name, version and the options that are not the default: what a result must say to be repeated."""
        chosen = [(f.name, getattr(self, f.name)) for f in fields(self) if getattr(self, f.name) != f.default]
        options = ", ".join(f"{name}={value}" for name, value in chosen)
        name = type(self).__module__.rsplit(".", 1)[-1]
        return f"{name}/{self.version}" + (f"({options})" if options else "")

    def __str__(self) -> str:
        return f"{self.identifier}: {self.statement}; {', '.join(self.metrics)}"


def protocol(name: str | Protocol) -> Protocol:
    """Return a protocol by name: "cifar10(setting=2)", "extendable(folds=3, classes=shuffled)"."""
    made: Protocol = name if isinstance(name, Protocol) else make("protocols", name)
    return made


def order(items: int, *seed: int) -> np.ndarray:
    """Return a permutation of 0 … items - 1, the same for one seed on every platform and version.

    >>> order(5, 0).tolist()
    [3, 2, 1, 0, 4]
    """
    return np.argsort(np.random.PCG64(list(seed)).random_raw(items), kind="stable")


def drawn(memberships: np.ndarray, count: int, places: np.ndarray, what: str) -> np.ndarray:
    """Return `count` rows of each class, no row twice: class by class, the first in the order `places` still free.

    `memberships` is (items, classes) bool. Rare classes of multi-label data choose first, so that they are not left
    with what others took.
    """
    taken = np.zeros(len(memberships), bool)
    for label in np.argsort(memberships.sum(axis=0), kind="stable"):
        free = places[memberships[places, label] & ~taken[places]]
        if len(free) < count:
            raise ValueError(f"{what} needs {count} items of every class; class {label} has {len(free)}")
        taken[free[:count]] = True
    return np.flatnonzero(taken)


def drawn_split(name: str, dataset: Dataset, queries: int, training: int, seed: int) -> Split:
    """Return the split that draws `queries` items of every class, searches all others, and trains on some of those."""
    places = order(len(dataset), seed)
    query = drawn(dataset.memberships, queries, places, f"the query part of {name}")
    rest = places[~np.isin(places, query)]
    train = drawn(dataset.memberships, training, rest, f"the training part of {name}")
    return Split(name, len(dataset), query, rest, train, seed=seed, shares=(("train", "database"),))


def official_split(name: str, dataset: Dataset) -> Split:
    """Return the publisher's own division: the test part queries the training part."""
    train = official(dataset)
    return Split(name, len(dataset), ~train, train, train, shares=(("train", "database"),))


def official(dataset: Dataset) -> np.ndarray:
    """Return the publisher's training part, (items,) bool."""
    if dataset.train is None:
        raise ValueError(f"{dataset.name} has no official training part, which this protocol needs")
    return dataset.train
