"""Parts without items, and labels that one part has and another lacks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenrank.dataset import Dataset
from evenrank.leaks.finding import Finding, listed, promised, share
from evenrank.leaks.overlap import carries, classes
from evenrank.split import PARTS, Split


def empty_parts(split: Split) -> Iterator[Finding]:
    """Yield the parts that hold nothing; a protocol may well do without training or validation."""
    for part in PARTS:
        if not len(getattr(split, part)):
            needed = part in ("query", "database")
            yield Finding("empty part", "warning" if needed else "note", 1, f"{part} is empty")


def missing_labels(dataset: Dataset, split: Split) -> Iterator[Finding]:
    """Yield queries without a relevant item besides themselves, and query classes that training never sees."""
    if dataset.labels is None or not len(split.query):
        return
    if dataset.judgements is None:
        yield from _without_relevant(dataset.labels, split)
    if len(split.train) and not promised(split.unseen, "train", "query"):
        missing = np.setdiff1d(classes(dataset.labels, split.query), classes(dataset.labels, split.train))
        if len(missing):
            rows = split.query[carries(dataset.labels, split.query, missing)]
            text = f"queries with a class that train lacks: {share(rows, split.query)}; classes {listed(missing)}"
            yield Finding("unknown classes", "warning", len(rows), text, rows)


def _without_relevant(labels: np.ndarray, split: Split) -> Iterator[Finding]:
    own = split.own >= 0  # a query in the database is not its own relevant item
    if labels.ndim == 1:
        known, counts = np.unique(labels[split.database], return_counts=True)
        place = np.searchsorted(known, labels[split.query])
        there = np.append(known, 0)[place] == labels[split.query]
        relevant = np.where(there, np.append(counts, 0)[place], 0) > own
    else:
        counts = labels[split.database].sum(axis=0)
        relevant = (labels[split.query] & (counts > own[:, None])).any(axis=1)
    rows = split.query[~relevant]
    if len(rows):
        beside = " besides themselves" if own.any() else ""
        text = (
            f"queries without a relevant item in the database{beside}: {share(rows, split.query)}; "
            f"classes {listed(classes(labels, rows))}"
        )
        yield Finding("no relevant item", "warning", len(rows), text, rows)
