"""What a table of the leaderboard holds, whoever typesets it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from evenrank.report.contents import Contents
from evenrank.report.leaderboard import Board, Cell, Row


class Text(NamedTuple):
    """A cell, and whether it is the best of its width."""

    text: str
    bold: bool = False


def header(contents: Contents) -> list[str]:
    """Return the heads of the columns; three of words or widths stand before the metrics."""
    metrics = [head for name in contents.plan.metrics for head in (name, f"{name} over ties")]
    return ["method", "width", "searched", *metrics, "letters", "repeats"]


def lines(contents: Contents, board: Board) -> Iterator[list[Text]]:
    """Yield the rows, best first."""
    for row in board.rows:
        yield _line(row)


def _line(row: Row) -> list[Text]:
    metrics = [text for cell in row.cells.values() for text in (_mean(cell), Text(_range(cell)))]
    return [
        Text(row.study.label),
        Text(str(row.study.width or "–")),
        Text(row.study.searched),
        *metrics,
        Text(row.letters or "–"),
        Text(str(len(row.study.repeats))),
    ]


def _mean(cell: Cell) -> Text:
    if cell.mean != cell.mean:
        return Text("–")
    half = "" if cell.half != cell.half else f" ± {cell.half:.4f}"
    return Text(f"{cell.mean:.4f}{half}", "best" in cell.standing)


def _range(cell: Cell) -> str:
    return "–" if cell.worst != cell.worst else f"{cell.worst:.4f} … {cell.best:.4f}"
