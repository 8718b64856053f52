"""The leaderboard as a LaTeX table (booktabs)."""

from __future__ import annotations

from evenrank.report.contents import Contents
from evenrank.report.exports.cells import header, lines
from evenrank.report.leaderboard import Board

SPECIAL = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"±": r"$\pm$", "…": r"\ldots{}", "–": "--", "<": r"\textless{}", ">": r"\textgreater{}", "\n": " "}
)


def latex(contents: Contents, board: Board) -> str:
    """Return the leaderboard, best first; the best of each width is bold."""
    heads = [cell.translate(SPECIAL) for cell in header(contents, board)]
    head = " & ".join(heads)
    rows = [" & ".join(_cell(each.text, each.bold) for each in row) for row in lines(board)]
    columns = "lrl" + "r" * (len(heads) - 3)
    body = "".join(f"{row} \\\\\n" for row in rows)
    return f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head} \\\\\n\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"


def _cell(text: str, bold: bool) -> str:
    plain = text.translate(SPECIAL)
    return f"\\textbf{{{plain}}}" if bold else plain
