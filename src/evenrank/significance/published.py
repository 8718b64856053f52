"""A printed table held against our own results: which of its gaps could be luck with ties, or with queries?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from evenrank.formats.manifests import manifest_rows
from evenrank.metric import parse
from evenrank.significance.comparison import Comparison

COLUMNS = ("method", "value")


class Gap(NamedTuple):
    """Two methods of a printed table, and what we found of them.

    `gap` is printed, `ours` the difference that we found; `by_ties` is the most that lucky ties of the higher and
    unlucky ones of the lower add, `by_chance` half the width of our interval.
    """

    higher: str
    lower: str
    gap: float
    ours: float
    by_ties: float
    by_chance: float

    @property
    def verdict(self) -> str:
        """Return whether the gap is larger than what ties or chance could make."""
        explained = {"our tie range": self.gap <= self.by_ties, "our interval": self.gap <= self.by_chance}
        inside = [what for what, is_so in explained.items() if is_so]
        return f"inside {' and '.join(inside)}" if inside else "beyond both"


def gaps(comparison: Comparison, printed: Mapping[str, float]) -> list[Gap]:
    """Return the printed gap of every pair that was compared and is in the table, by name in any case."""
    methods = {each.name: each for each in comparison.methods}
    values = {name: printed[name.casefold()] for name in methods if name.casefold() in printed}
    found = []
    for pair in comparison.pairs:
        if pair.first in values and pair.second in values:
            rising = values[pair.second] >= values[pair.first]
            higher, lower = (pair.second, pair.first) if rising else (pair.first, pair.second)
            by_ties = (methods[higher].best - methods[higher].mean) + (methods[lower].mean - methods[lower].worst)
            ours = pair.value if rising else -pair.value
            gap = values[higher] - values[lower]
            found.append(Gap(higher, lower, gap, ours, by_ties, (pair.high - pair.low) / 2))
    return found


def read_printed(path: Path, metric: str, where: Mapping[str, str]) -> dict[str, float]:
    """Return method (lower case) -> value of a table with the columns method and value.

    Of a column "metric" only rows of this metric count, and of the columns in `where` only those with that word. If a
    value is above 1, all are percentages.
    """
    values: dict[str, float] = {}
    for place, cells in manifest_rows(path):
        row = {name.strip().casefold(): str(cell).strip() for name, cell in cells.items()}
        missing = [name for name in (*COLUMNS, *where) if name not in row]
        if missing:
            raise ValueError(f"{path}: must have a column {missing[0]}; got {', '.join(row)}")
        chosen = all(row[name].casefold() == word.casefold() for name, word in where.items())
        if not chosen or not _same(row.get("metric", metric), metric):
            continue
        method = row["method"].casefold()
        if method in values:
            others = ", ".join(name for name in row if name not in (*COLUMNS, *where)) or "no other column"
            raise ValueError(f"{path}: {place}: {row['method']} is there twice: choose with --where from {others}")
        values[method] = _number(path, place, row["value"])
    scale = 100 if any(value > 1 for value in values.values()) else 1
    return {method: value / scale for method, value in values.items()}


def _number(path: Path, place: str, cell: str) -> float:
    """Return a printed value; it must be a share or a percentage."""
    try:
        value = float(cell)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ValueError(f"{path}: {place}: value must be a number from 0 to 1, or to 100; got {cell!r}")
    return value


def _same(written: str, metric: str) -> bool:
    """Return whether two strings name the same metric; a name we do not know is none of ours."""
    try:
        return str(parse(written)) == str(parse(metric))
    except ValueError:
        return False
