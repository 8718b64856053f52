"""What papers claimed: a table of the user's, paper by paper. No claim is known here that a paper does not print."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evenrank.formats.manifests import manifest_rows

COLUMNS = ("paper", "year", "method", "claimed", "baseline", "source")


@dataclass(frozen=True)
class Claim:
    """One printed result: what a method was said to reach, and what it was said to beat, in one unit."""

    paper: str
    year: int
    method: str
    claimed: float
    baseline: float
    source: str  # the page or table where it stands
    metric: str = ""  # what the numbers are values of, if the table says so
    against: str = ""  # the method that the baseline is, if the table says so


def read(path: Path) -> tuple[Claim, ...]:
    """Return the claims of a CSV, in its order; raises ValueError with the line that is wrong."""
    if not path.is_file():
        raise ValueError(f"{path}: no such file")
    return tuple(_claim(path, place, cells) for place, cells in manifest_rows(path))


def _claim(path: Path, place: str, cells: dict[str, object]) -> Claim:
    row = {name.strip().casefold(): str(cell).strip() for name, cell in cells.items()}
    for name in COLUMNS:
        if not row.get(name):
            raise ValueError(f"{path}: {place}: must have a {name}; got {', '.join(row)}")
    return Claim(
        row["paper"],
        int(_number(path, place, "year", row["year"])),
        row["method"],
        _number(path, place, "claimed", row["claimed"]),
        _number(path, place, "baseline", row["baseline"]),
        row["source"],
        row.get("metric", ""),
        row.get("against", ""),
    )


def _number(path: Path, place: str, name: str, cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ValueError(f"{path}: {place}: {name} must be a number, not negative; got {cell!r}")
    return value
