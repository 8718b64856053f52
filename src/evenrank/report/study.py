"""What a store holds of one method at one width: the repeats of its final setting, and the trials before them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, isnan, nan
from typing import Any

import numpy as np

from evenrank.significance.error import standard_error
from evenrank.significance.runs import defined

CONFIDENCE = 0.95
CONTROLS = {"chance": "chance", "trivial": "trivial solution", "deep_trivial": "trivial solution"}


@dataclass(frozen=True, eq=False)
class Study:
    """A method at one width, and one thing that it searched; arrays have one value a repeat, NaN where none is stored.

    `ties[metric]` holds "best", "worst" (means over queries) and "std"; `costs` "fit" (seconds), "encode" (seconds an
    item), "bytes" (an item) and "items" (that it learned from); `codes` "utilisation", "entropy" and "collisions"; each
    is empty if no repeat has any. `exhibits` are those of the first repeat: "curves", "usage", "hits" and "gallery" of
    what was searched, and what is the job's own, like "projection".
    """

    method: str  # its title in the plan
    label: str  # how people call it
    name: str  # in the catalog
    kind: str  # "hashing", "crossmedia" or "embedding"
    width: int | None
    searched: str
    repeats: tuple[int, ...]
    values: dict[str, np.ndarray]
    parameters: dict[str, Any]  # that tuning chose
    fixed: dict[str, Any]  # that the plan sets
    seconds: np.ndarray
    ties: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)
    costs: dict[str, np.ndarray] = field(default_factory=dict)
    codes: dict[str, np.ndarray] = field(default_factory=dict)
    undecided: np.ndarray = field(default_factory=lambda: np.empty(0))
    exhibits: dict[str, Any] = field(default_factory=dict)
    read: Callable[[str], np.ndarray] = lambda metric: np.empty((0, 0))

    @property
    def key(self) -> str:
        """What the study is called in the store: its method and width."""
        return f"{self.method}/{self.width or '-'}"

    @property
    def control(self) -> str:
        """Return "chance" or "trivial solution" if the method is one of those, else an empty string."""
        return CONTROLS.get(self.name.rsplit("/", 1)[-1], "")

    def per_query(self, metric: str) -> np.ndarray:
        """Return the values of every query, (runs, queries), read when asked for; NaN where undefined.

        A run is a repeat, or a fold's model in it. Clustering scores have no queries.
        """
        return self.read(metric)

    def half_width(self, metric: str) -> float:
        """Return half of Student's interval over queries and repeats, as `evenrank compare` has it; NaN: none.

        There is none where neither varies: one repeat of a clustering score, say.
        """
        runs = self.per_query(metric)
        queries = runs[:, defined(runs)]
        sources = (queries.mean(axis=0), queries.mean(axis=1)) if queries.shape[1] > 1 else (self.values[metric],)
        return standard_error(*sources).half_width(CONFIDENCE) or nan


@dataclass(frozen=True)
class Trial:
    """One setting that tuning tried; `value` is its mean over folds, None if a fold failed or it was given up."""

    method: str
    label: str
    width: int | None
    number: int
    parameters: dict[str, Any]
    value: float | None
    folds: int
    seconds: float


@dataclass(frozen=True)
class Failure:
    """A job that failed: its key, the last line of its traceback, and all of it."""

    key: str
    line: str
    traceback: str


@dataclass(frozen=True)
class Missing:
    """What is still to run of a method at one width: trials (not begun) and repeats."""

    method: str
    label: str
    width: int | None
    trials: int
    repeats: int


@dataclass(frozen=True)
class Opening:
    """With which setting a study saw the test set, and how often; `parameters` is None if no result of it is kept."""

    study: str
    setting: str
    times: int
    parameters: dict[str, Any] | None


def average(values: np.ndarray | None) -> float:
    """Return the mean over the repeats that have a value; NaN if none has."""
    there = np.empty(0) if values is None else values[~np.isnan(values)]
    return float(there.mean()) if len(there) else nan


def sortable(value: float) -> float:
    """Return a value for sorting, where what is undefined is the least."""
    return -inf if isnan(value) else value
