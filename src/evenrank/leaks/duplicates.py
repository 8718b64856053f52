"""Different rows with the same content, byte by byte.

Rows are grouped by a hash and compared where hashes agree, so a collision is never mistaken for a duplicate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from evenrank.dataset import Media
from evenrank.formats.images import ImageFiles
from evenrank.leaks.finding import EXAMPLES, Finding, Severity, apart, share
from evenrank.split import PARTS, Split


def first_rows(values: Media) -> np.ndarray:
    """Return for every row the first one with its content: itself, unless it is a duplicate.

    >>> first_rows(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])).tolist()
    [0, 1, 0]
    """
    first = np.arange(len(values))
    seen: dict[int, list[int]] = {}
    for row in range(len(values)):
        content = _content(values, row)
        alike = seen.setdefault(hash(content), [])
        first[row] = next((other for other in alike if _content(values, other) == content), row)
        if first[row] == row:
            alike.append(row)
    return first


def _content(values: Media, row: int) -> bytes | str:
    if isinstance(values, ImageFiles):
        return values.path(row).read_bytes()
    return values[row].tobytes() if values.ndim > 1 else str(values[row])


def whole_items(first: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return for every row the first one that is the same in all modalities."""
    columns = np.stack(list(first.values()), axis=1)
    _, place, inverse = np.unique(columns, axis=0, return_index=True, return_inverse=True)
    return place[inverse]


def duplicates(split: Split, first: Mapping[str, np.ndarray]) -> Iterator[Finding]:
    """Yield duplicates across parts that must be apart, and how many each part holds; `first` is by modality.

    Items that are the same in every modality are a leak. The same in one modality of several (two photographs with one
    caption) is a warning.
    """
    items = whole_items(first)
    yield from _across(split, items, "", "leak")
    yield from _within(split, items)
    if len(first) > 1:
        for name, rows in first.items():
            yield from _across(split, rows, f" ({name})", "warning")


def _across(split: Split, first: np.ndarray, where: str, severity: Severity) -> Iterator[Finding]:
    for one, other in apart(split):
        rows, others = getattr(split, one), getattr(split, other)
        copies = np.bincount(first[others], minlength=len(first))[first[rows]]
        found = rows[copies > np.isin(rows, others)]  # an item that is in both parts is not its own duplicate
        if len(found):
            pairs = [(row, others[(first[others] == first[row]) & (others != row)][0]) for row in found[:EXAMPLES]]
            text = f"items of {one} with an exact duplicate{where} in {other}: {share(found, rows)}"
            yield Finding("duplicates", severity, len(found), text, np.array(pairs))


def _within(split: Split, first: np.ndarray) -> Iterator[Finding]:
    for part in PARTS:
        rows = getattr(split, part)
        known, place = np.unique(first[rows], return_index=True)
        again = np.setdiff1d(rows, rows[place], assume_unique=True)
        if len(again):
            earlier = rows[place[np.searchsorted(known, first[again[:EXAMPLES]])]]
            text = f"items of {part} that repeat another of {part} exactly: {share(again, rows)}"
            yield Finding("repeats", "note", len(again), text, np.stack([again[:EXAMPLES], earlier], axis=1))
