"""The leaderboard as a Markdown table."""

from __future__ import annotations

from evenrank.report.contents import Contents
from evenrank.report.exports.cells import header, lines
from evenrank.report.leaderboard import Board

SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|"} | {"\n": " "})


def markdown(contents: Contents, board: Board) -> str:
    """Return the leaderboard, best first; the best of each width is bold."""
    head = [cell.translate(SPECIAL) for cell in header(contents, board)]
    rule = ["---" if place < 3 else "---:" for place in range(len(head))]
    rows = [[_cell(each.text, each.bold) for each in row] for row in lines(board)]
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, rule, *rows))


def _cell(text: str, bold: bool) -> str:
    plain = text.translate(SPECIAL)
    return f"**{plain}**" if bold else plain
