"""What a table of the leaderboard holds, whoever typesets it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from evenrank.report.contents import Contents
from evenrank.report.leaderboard import Board, Cell, Row

NOTHING = "–"


class Text(NamedTuple):
    """A cell, and whether it is the best of its width."""

    text: str
    bold: bool = False


def header(contents: Contents, board: Board) -> list[str]:
    """Return the heads of the columns; three of words or widths stand before the metrics."""
    tied = _tied(board)
    metrics = [head for name in contents.plan.metrics for head in (name, *[f"{name} over ties"] * (name in tied))]
    return ["method", "width", "searched", *metrics, "letters", "repeats"]


def lines(board: Board) -> Iterator[list[Text]]:
    """Yield the rows, best first."""
    tied = _tied(board)
    for row in board.rows:
        yield _line(row, tied)


def _tied(board: Board) -> set[str]:
    """Return the metrics for which the order of ties makes a difference that can be seen, in any row."""
    return {name for row in board.rows for name, cell in row.cells.items() if _range(cell) != NOTHING}


def _line(row: Row, tied: set[str]) -> list[Text]:
    metrics = [
        text for name, cell in row.cells.items() for text in (_mean(cell), *[Text(_range(cell))] * (name in tied))
    ]
    return [
        Text(row.study.label),
        Text(str(row.study.width or NOTHING)),
        Text(row.study.searched),
        *metrics,
        Text(row.letters or NOTHING),
        Text(str(len(row.study.repeats))),
    ]


def _mean(cell: Cell) -> Text:
    if cell.mean != cell.mean:
        return Text(NOTHING)
    half = "" if cell.half != cell.half else f" ± {cell.half:.4f}"
    return Text(f"{cell.mean:.4f}{half}", "best" in cell.standing)


def _range(cell: Cell) -> str:
    ends = f"{cell.worst:.4f}", f"{cell.best:.4f}"
    return NOTHING if cell.worst != cell.worst or ends[0] == ends[1] else " … ".join(ends)
