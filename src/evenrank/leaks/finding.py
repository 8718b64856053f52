"""One thing that a leak check found."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from evenrank.split import Split

Severity = Literal["leak", "warning", "note"]
EXAMPLES = 5
JUDGED = ("query", "validation", "train", "database")  # of a pair the first is reported


def _none() -> np.ndarray:
    return np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class Finding:
    """What was found, how many times, in one line, and a few rows of the dataset to look at.

    A `leak` breaks what the split promises; a `warning` makes results doubtful; a `note` is worth knowing. `rows` are
    examples (k,), of duplicates (k, 2): an item and the one it repeats.
    """

    kind: str
    severity: Severity
    count: int
    text: str
    rows: np.ndarray = field(default_factory=_none)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", self.rows[:EXAMPLES])


def listed(numbers: np.ndarray) -> str:
    """Return the first numbers as words.

    >>> listed(np.arange(7))
    '0, 1, 2, 3, 4 and 2 more'
    """
    more = len(numbers) - EXAMPLES
    return ", ".join(map(str, numbers[:EXAMPLES].tolist())) + (f" and {more} more" if more > 0 else "")


def share(some: Sized, whole: Sized) -> str:
    """Return how many of how many.

    >>> share(range(3), range(2000))
    '3 of 2,000'
    """
    return f"{len(some):,} of {len(whole):,}"


def promised(pairs: tuple[tuple[str, str], ...], one: str, other: str) -> bool:
    """Return whether two parts are one of the pairs, whichever is named first."""
    return (one, other) in pairs or (other, one) in pairs


def apart(split: Split) -> list[tuple[str, str]]:
    """Return the pairs of parts that must not have an item in common; of each the part that is judged comes first."""
    pairs = [(one, other) for place, one in enumerate(JUDGED) for other in JUDGED[place + 1 :]]
    return [pair for pair in pairs if not promised(split.shares, *pair)]
