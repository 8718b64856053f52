"""Cross-media retrieval of seen and of unseen classes (paper 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.dataset import Dataset
from evenrank.parameters import Choice, Integer, Real
from evenrank.protocol import Protocol, order
from evenrank.relevance import Relevance, SharedLabels
from evenrank.split import Split


@dataclass(frozen=True)
class Extendable(Protocol):
    """Train on half of the classes; search those (non-extendable), then the other half (extendable), fold by fold.

    The database is the official training part, the queries the rest; without an official part a random `share` of the
    items is the database. `classes` says which half a fold trains on: "cyclic" windows, fold f has class c if
    (c − f·C/N) mod C < C/2, are what the authors ran; "shuffled" is what they wrote.

    A multi-label item can have labels in both halves. "keep", the authors' way, leaves it in both, so that training
    items are met again in the extendable search; "drop" leaves it out; "primary" assigns it by its first label. Only
    labels of the half that is searched count for relevance. How many items there are is in the split's note.
    """

    title = "Extendable cross-media retrieval"
    paper = "4, §II"
    metrics = ("AP(interpolation=trapezoid)", "AP", "CMC@1")

    folds: Annotated[int, Integer(1)] = 5
    classes: Annotated[str, Choice("cyclic", "shuffled")] = "cyclic"
    overlap: Annotated[str, Choice("drop", "keep", "primary")] = "keep"
    share: Annotated[float, Real(0.0, 1.0)] = 0.6
    seed: Annotated[int, Integer(0)] = 0

    def splits(self, dataset: Dataset) -> Iterator[Split]:
        """Yield two splits a fold: "non-extendable f" and "extendable f"; the same items train."""
        count = dataset.memberships.shape[1]
        if count < 2:
            raise ValueError(f"extendable needs at least two classes; {dataset.name} has {count}")
        database = self._database(dataset)
        for fold in range(self.folds):
            seen = self._seen(count, fold)
            known, unknown, note = self._halves(dataset, seen)
            train = known & database
            shared = {"train": train, "classes": tuple(np.flatnonzero(seen).tolist()), "seed": self.seed, "note": note}
            yield Split(
                f"non-extendable {fold}",
                len(dataset),
                known & ~database,
                known & database,
                shares=(("train", "database"),),
                **shared,
            )
            yield Split(
                f"extendable {fold}",
                len(dataset),
                unknown & ~database,
                unknown & database,
                unseen=(("train", "query"), ("train", "database")),
                **shared,
            )

    def relevance(self, dataset: Dataset, split: Split) -> Relevance:
        """Return which items share a label of the half that is searched."""
        if not dataset.multilabel:
            return super().relevance(dataset, split)
        searched = np.isin(np.arange(dataset.memberships.shape[1]), split.classes) ^ bool(split.unseen)
        labels = dataset.memberships[:, searched]
        return SharedLabels(labels[split.query], labels[split.database])

    @property
    def statement(self) -> str:
        """One line."""
        return (
            f"half of the classes trains, {self.folds} {self.classes} folds; queries of the seen half search the "
            "training items, queries of the unseen half the other database items"
        )

    def _database(self, dataset: Dataset) -> np.ndarray:
        """Return the official training part, or a random share of the items, (items,) bool."""
        if dataset.train is not None:
            return dataset.train
        database = np.zeros(len(dataset), bool)
        database[order(len(dataset), self.seed)[: round(self.share * len(dataset))]] = True
        return database

    def _seen(self, count: int, fold: int) -> np.ndarray:
        """Return which classes a fold trains on, (classes,) bool."""
        if self.classes == "cyclic":
            return (np.arange(count) - fold * count // self.folds) % count < count / 2
        return order(count, self.seed, fold) < count / 2

    def _halves(self, dataset: Dataset, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray, str]:
        """Return the items of the seen and of the unseen half, and how many are in both."""
        memberships = dataset.memberships
        known, unknown = memberships @ seen, memberships @ ~seen  # of bool: any
        both = known & unknown
        if not both.any():
            return known, unknown, ""
        done = {"keep": "kept in both", "drop": "left out", "primary": "assigned by their first label"}
        note = f"{both.sum():,} items have labels in both halves: {done[self.overlap]}"
        if self.overlap == "drop":
            return known & ~both, unknown & ~both, note
        if self.overlap == "primary":
            first = seen[memberships.argmax(axis=1)]
            return known & first, unknown & ~first, note
        return known, unknown, note
