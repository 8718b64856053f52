"""`evenrank demo`: what this tool is for, in a minute and without any download."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

if TYPE_CHECKING:
    from evenrank.benchmark.runner import Progress
    from evenrank.report.leaderboard import Row

HEADER = ("method", "bits", "AP", "range of tie-breaking", "P@10", "LGAP@2", "codes used", "rank 1 undecided", "fit")
NOTES = """
AP is exact: the expectation over all orders of tied items, here the mean of three runs. The range is what the same
codes can score when ties are broken by whatever order the data lies in; a tool that does so reports some number inside
it. Chance and the trivial solution (the predicted class as a code) are controls: a supervised method should be read
against both.
"""


def demo(
    out: Annotated[Path, Option(metavar="DIR", help="Where the results and their report go.")] = Path("demo"),
    seed: Annotated[int, Option(help="Of the split and of the methods.", min=0)] = 0,
) -> None:
    """Train hashing methods on scikit-learn's digits, show what ties alone do to their AP, and write a report.

    Example: evenrank demo --out demo
    """
    from evenrank.cli.progress import progress
    from evenrank.demo import results
    from evenrank.report.files import write
    from evenrank.report.leaderboard import board
    from evenrank.table import text_table

    with progress("training and evaluating") as report:

        def tell(state: Progress) -> None:
            if report:
                report(state.done, state.total)

        contents = results(out, seed, tell)
    rows = {(row.study.width or 0, row.study.method): row for row in board(contents).rows}
    ordered = [rows[study.width or 0, study.method] for study in contents.studies]
    ordered.sort(key=lambda row: row.study.width or 1 << 20)
    queries = contents.studies[0].per_query("AP").shape[1]
    typer.echo(f"Handwritten digits: {queries:,} queries, methods of each kind, {contents.plan.repeats} runs each\n")
    typer.echo(f"{text_table(HEADER, [cells(row) for row in ordered])}\n{NOTES}")
    for line in write(contents, out / "report.html", out):
        typer.echo(line)


def cells(row: Row) -> list[str]:
    """Return one line of the table."""
    from evenrank.report.words import seconds
    from evenrank.table import number

    found = row.cells["AP"]
    return [
        row.study.label,
        str(row.study.width or "–"),
        number(found.mean),
        f"{number(found.worst)} … {number(found.best)}",
        number(row.cells["P@10"].mean),
        number(row.cells["LGAP@2"].mean),
        f"{row.utilisation:.0%}",
        f"{row.undecided:.0%}",
        seconds(row.fit),
    ]
