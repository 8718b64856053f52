"""Relevance judgements by name, as TREC and its tools write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from evenrank.kernels.lists import Lists
from evenrank.relevance.judged import judged_lists, judged_part, levels_of
from evenrank.relevance.relevance import Relevance, Rows


class Qrels(Relevance):
    """Levels from judgements by name: {query: {item: level}}, (query, item, level) tuples or `ir_measures.Qrel`s.

    `query_ids` and `database_ids` name the rows in order. Without them the names are row numbers, and `queries` and
    `database` say how many rows there are (one more than the largest named, if not given). What is not judged, or
    judged below 0, has level 0; judgements that name an unknown query or item are left out and counted in `dropped`.

    >>> qrels = Qrels({"q1": {"a": 2, "c": 1}, "q2": {"z": 1}}, ["q1", "q2"], ["a", "b", "c"])
    >>> qrels.block().tolist(), qrels.dropped
    ([[2, 0, 1], [0, 0, 0]], 1)
    """

    def __init__(
        self,
        judgements: Mapping[Any, Mapping[Any, int]] | Iterable[Any],
        query_ids: Sequence[Any] | None = None,
        database_ids: Sequence[Any] | None = None,
        *,
        queries: int | None = None,
        database: int | None = None,
    ) -> None:
        triples = list(_triples(judgements))
        query, query_count = _number([t[0] for t in triples], query_ids, queries, "query_ids", "queries")
        item, item_count = _number([t[1] for t in triples], database_ids, database, "database_ids", "database")
        level = np.array([_level(t) for t in triples], np.int64)
        known = np.flatnonzero((query >= 0) & (item >= 0))
        if len(triples) and not len(known):
            raise ValueError(
                f"judgements of Qrels must name known queries and items; none of {len(triples)} does,"
                f" the first is {triples[0]!r} (are both ids words, or both numbers?)"
            )
        known = known[_first_of_each(query[known] * item_count + item[known], level[known], known, triples)]
        self.dropped = int(np.sum((query < 0) | (item < 0)))
        self.levels = levels_of(level[known])
        known = known[level[known] > 0]
        index = np.searchsorted(self.levels, level[known]).astype(np.int32)
        self._judged = csr_array((index, (query[known], item[known])), (query_count, item_count))

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        query_ids: Sequence[Any] | None = None,
        database_ids: Sequence[Any] | None = None,
        *,
        queries: int | None = None,
        database: int | None = None,
    ) -> Qrels:
        """Return the judgements of a TREC file, a line each: query, a column that is ignored, item, level.

        Names in a file are words, so ids are compared as words.
        """
        words = [None if ids is None else [str(name) for name in ids] for ids in (query_ids, database_ids)]
        triples = list(_lines(Path(path)))
        try:
            return cls(triples, words[0], words[1], queries=queries, database=database)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None

    @property
    def shape(self) -> tuple[int, int]:
        """(queries, database items)."""
        queries, database = self._judged.shape
        return queries, database

    def relevant(self, queries: Rows = None) -> Lists:
        """Return one list a query and level."""
        return judged_lists(judged_part(self._judged, queries), len(self.levels))

    def take(self, queries: Rows = None, items: Rows = None) -> Qrels:
        """Return the judgements of some queries on some items; `dropped` stays as it was."""
        part = copy(self)
        part._judged = judged_part(self._judged, queries, items)
        return part


def _triples(judgements: Any) -> Iterator[tuple[Any, Any, Any]]:
    if isinstance(judgements, Mapping):
        for query, items in judgements.items():
            yield from ((query, item, level) for item, level in items.items())
        return
    # a data frame iterates over its columns, so ask it for its rows
    for row in judgements.itertuples() if hasattr(judgements, "itertuples") else judgements:
        if hasattr(row, "query_id"):
            yield row.query_id, row.doc_id, row.relevance
        elif len(row) == 3:
            yield tuple(row)
        else:
            raise ValueError(f"judgements of Qrels must be (query, item, level); got {row!r}")


def _lines(path: Path) -> Iterator[tuple[str, str, int]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: cannot be read: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        try:
            query, _, item, level = fields
            yield query, item, int(level)
        except ValueError:
            raise ValueError(f"{path}: line {number} must be 'query 0 item level'; got {line.strip()!r}") from None


def _level(triple: tuple[Any, Any, Any]) -> int:
    try:
        level = int(triple[2])
    except (TypeError, ValueError, OverflowError):
        level = None
    if level is None or level != triple[2]:
        raise ValueError(f"levels of Qrels must be whole numbers; got {triple[2]!r} in {triple!r}")
    return level


def _number(
    names: list[Any], ids: Sequence[Any] | None, count: int | None, what: str, counted: str
) -> tuple[np.ndarray, int]:
    """Return the row of each name, -1 where it has none, and the number of rows."""
    if ids is None:
        rows = np.array([_row(name, what) for name in names], np.int64)
        count = int(rows.max(initial=0)) + 1 if count is None else count
        return np.where(rows < count, rows, -1), count
    if count is not None:
        raise ValueError(f"{counted} of Qrels must not be given beside {what}; got {count!r}")
    table: dict[Any, int] = {}
    for row, name in enumerate(ids):
        if table.setdefault(name, row) != row:
            raise ValueError(f"{what} of Qrels must be distinct; got {name!r} in rows {table[name]} and {row}")
    return np.array([table.get(name, -1) for name in names], np.int64), len(table)


def _row(name: Any, what: str) -> int:
    try:
        row = int(name)
    except (TypeError, ValueError):
        row = -1
    if row < 0:
        raise ValueError(f"names in the judgements of Qrels must be row numbers unless {what} is given; got {name!r}")
    return row


def _first_of_each(
    pair: np.ndarray, level: np.ndarray, known: np.ndarray, triples: list[tuple[Any, Any, Any]]
) -> np.ndarray:
    """Return where each pair is judged first, after refusing pairs with two levels."""
    _, first, inverse = np.unique(pair, return_index=True, return_inverse=True)
    clash = np.flatnonzero(level[first][inverse] != level)
    if len(clash):
        earlier = triples[known[first[inverse[clash[0]]]]]
        raise ValueError(f"judgements of Qrels must not differ; got {earlier!r} and {triples[known[clash[0]]]!r}")
    return first
