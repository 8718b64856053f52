"""`evenrank demo`: what this tool is for, in a minute and without any download."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

if TYPE_CHECKING:
    from evenrank.demo import Run

HEADER = ("method", "bits", "AP", "range of tie-breaking", "P@10", "LGAP@2", "codes used", "rank 1 undecided", "fit")
NOTES = """
AP is exact: the expectation over all orders of tied items. The range is what the same codes can score when ties are
broken by whatever order the data lies in; a tool that does so reports some number inside it. Chance and the trivial
solution (the predicted class as a code) are controls: a supervised method should be read against both.
"""


def demo(
    out: Annotated[Path | None, Option(metavar="DIR", help="Write each result as JSON and the table here.")] = None,
    seed: Annotated[int, Option(help="Of the split and of the methods.", min=0)] = 0,
) -> None:
    """Train hashing methods on scikit-learn's digits, and show what ties alone do to their AP.

    Example: evenrank demo --out demo
    """
    from evenrank.cli.progress import progress
    from evenrank.demo import COUNT, runs
    from evenrank.table import text_table

    found = []
    with progress("training and evaluating") as report:
        for run in runs(seed):
            found.append(run)
            if report:
                report(len(found), COUNT)
    about = found[0].result.provenance
    typer.echo(f"Handwritten digits: {about['queries']:,} queries against {about['database']:,} items\n")
    table = text_table(HEADER, [cells(run) for run in found])
    typer.echo(f"{table}\n{NOTES}", nl=False)
    if out:
        out.mkdir(parents=True, exist_ok=True)
        for run in found:
            run.result.to_json(out / f"{run.title.replace(' ', '-')}-{run.bits}.json")
        (out / "table.txt").write_text(table + "\n", encoding="utf-8")
        typer.echo(f"\n{len(found)} results and table.txt written to {out}")


def cells(run: Run) -> list[str]:
    """Return one line of the table."""
    from evenrank.table import number

    result = run.result
    return [
        run.title,
        str(run.bits),
        number(result.mean["AP"]),
        f"{number(result.worst['AP'])} … {number(result.best['AP'])}",
        number(result.mean["P@10"]),
        number(result.mean["LGAP@2"]),
        f"{result.codes['utilisation']:.0%}",
        f"{result.ties['Undecided']:.0%}",
        f"{run.seconds:.1f} s",
    ]
