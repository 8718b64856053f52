"""Cross-media retrieval by a protocol: fit on the images and texts of each fold, search in both directions (paper 4).

    for search in er.cross_media("pls", er.dataset("bundle(path='wikipedia')")):
        print(search.fold, search.search, search.direction, search.result.mean["AP"], search.seconds)

A fold is fitted once and searched among the classes it has seen ("non-extendable") and among the others
("extendable"), by images for texts and by texts for images. `summary` averages the folds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from evenrank.catalog import make
from evenrank.counting import Items, Ties
from evenrank.cross_media_method import MODALITIES, CrossMediaMethod
from evenrank.curves import Curve
from evenrank.dataset import Dataset
from evenrank.evaluate import evaluate
from evenrank.intervals import student_interval
from evenrank.metric import Metric
from evenrank.protocol import Protocol
from evenrank.protocol import protocol as as_protocol
from evenrank.relevance import Relevance
from evenrank.result import Result
from evenrank.split import Split

DIRECTIONS = {"image to text": ("image", "text"), "text to image": ("text", "image")}


@dataclass(frozen=True, eq=False)
class Search:
    """One search of one fold: which, what was compared, what came out, and what fitting the fold took."""

    fold: int
    search: str  # "non-extendable" or "extendable"
    direction: str  # "image to text" or "text to image"
    queries: Items
    database: Items
    relevance: Relevance
    result: Result
    seconds: float  # of processor time


@dataclass(frozen=True, eq=False)
class Summary:
    """One search over all folds: means with Student's intervals, and the mean CMC curve."""

    search: str
    direction: str
    folds: int
    mean: dict[str, float]
    interval: dict[str, tuple[float, float]]
    cmc: Curve
    seconds: float

    def __str__(self) -> str:
        halves = {name: (high - low) / 2 for name, (low, high) in self.interval.items()}
        values = ", ".join(f"{name} {value:.4f} ± {halves[name]:.4f}" for name, value in self.mean.items())
        return f"{self.search}, {self.direction}: {values}"


def cross_media(
    method: str | CrossMediaMethod,
    dataset: Dataset,
    protocol: str | Protocol = "extendable",
    metrics: Sequence[str | Metric] | None = None,
    *,
    ties: Ties = "expected",
    dimensions: str = "classes",
) -> Iterator[Search]:
    """Return every search of every fold of the protocol, as it is done; the method itself stays unfitted.

    `metrics` are the protocol's unless given. With `dimensions` "classes", a method that has this keyword gets as many
    as there are seen classes, as in paper 4, whatever it was made with; "given" leaves it as it is.
    """
    if dimensions not in ("classes", "given"):
        raise ValueError(f"dimensions of cross_media must be one of classes, given; got {dimensions!r}")
    if not set(MODALITIES) <= set(dataset.modalities):
        got = ", ".join(dataset.modalities)
        raise ValueError(f"cross_media needs the modalities {' and '.join(MODALITIES)}; {dataset.name} has {got}")
    if dataset.labels is None:
        raise ValueError(f"cross_media needs labels; {dataset.name} has none")
    made = method if isinstance(method, CrossMediaMethod) else make("methods", f"crossmedia/{method}")
    chosen = as_protocol(protocol)
    return _searches(made, dataset, chosen, metrics or chosen.metrics, ties, dimensions == "classes")


def _searches(
    method: CrossMediaMethod,
    dataset: Dataset,
    chosen: Protocol,
    metrics: Sequence[str | Metric],
    ties: Ties,
    by_classes: bool,
) -> Iterator[Search]:
    folds, train = Counter[str](), None
    for split in chosen.splits(dataset):
        if train is None or not np.array_equal(split.train, train):
            train, began = split.train, time.process_time()
            fitted = _fitted(method, dataset, split, by_classes)
            seconds = time.process_time() - began
        search = "extendable" if split.unseen else "non-extendable"
        relevance = chosen.relevance(dataset, split)
        for direction, (asking, asked) in DIRECTIONS.items():
            queries = fitted.encode(dataset.modalities[asking][split.query], asking)
            database = fitted.encode(dataset.modalities[asked][split.database], asked)
            result = evaluate(queries, database, relevance, metrics, ties=ties)
            yield Search(folds[search], search, direction, queries, database, relevance, result, seconds)
        folds[search] += 1


def _fitted(method: CrossMediaMethod, dataset: Dataset, split: Split, by_classes: bool) -> CrossMediaMethod:
    """Return a fresh clone of the method, fitted on a fold's training items and their seen labels."""
    seen = np.zeros(dataset.memberships.shape[1], bool)
    seen[list(split.classes) if split.classes else slice(None)] = True
    strange = ~dataset.memberships[split.train][:, seen].any(axis=1)
    if strange.any():
        raise ValueError(
            f"training items of split {split.name!r} must be of its seen classes;"
            f" {int(strange.sum())} of {len(strange)} are not, the first in row {split.train[strange.argmax()]}"
        )
    fresh: CrossMediaMethod = clone(method)
    if by_classes and "dimensions" in fresh.get_params():
        fresh.set_params(dimensions=int(seen.sum()))
    labels = dataset.memberships[:, seen] if dataset.multilabel else np.asarray(dataset.labels)
    return fresh.fit({name: dataset.modalities[name][split.train] for name in MODALITIES}, labels[split.train])


def summary(found: Iterable[Search], *, ranks: int = 15, confidence: float = 0.95) -> list[Summary]:
    """Return the mean over folds of each search.

    CMC is of ranks 1 … `ranks`, or as many as the smallest database of a fold has.
    """
    groups: dict[tuple[str, str], list[Search]] = {}
    for each in found:
        groups.setdefault((each.search, each.direction), []).append(each)
    return [_summary(mine, ranks, confidence) for mine in groups.values()]


def _summary(mine: list[Search], ranks: int, confidence: float) -> Summary:
    values = {name: np.array([each.result.mean[name] for each in mine]) for name in mine[0].result.mean}
    places = np.arange(1, min([ranks, *(len(each.database) for each in mine)]) + 1)
    curves = [each.result.curve("CMC", places).y for each in mine]
    return Summary(
        mine[0].search,
        mine[0].direction,
        len(mine),
        {name: float(each.mean()) for name, each in values.items()},
        {name: student_interval(each, confidence) for name, each in values.items()},
        Curve(places, np.mean(curves, axis=0)),
        float(np.mean([each.seconds for each in mine])),
    )
