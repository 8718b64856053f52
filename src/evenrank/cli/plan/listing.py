"""`evenrank plan list`: the plans that come with evenrank."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

if TYPE_CHECKING:
    from evenrank.benchmark.plan import Plan


def listing(json: Annotated[Path | None, Option(metavar="FILE", help="Write the list here.")] = None) -> None:
    """List the plans: one or a few of each paper, and a small one to begin with.

    Example: evenrank plan list
    """
    from json import dumps

    from evenrank.benchmark.plan import Plan
    from evenrank.benchmark.shipped import shipped
    from evenrank.cli.evaluate import check_outputs
    from evenrank.table import text_table

    check_outputs(json, None)
    found = [{"name": name, **describe(Plan.read(path))} for name, path in shipped().items()]
    if json:
        json.write_text(dumps({"plans": found}, indent=1, ensure_ascii=False) + "\n", "utf-8")
    header = ["name", "title", "dataset", "methods", "trials", "final runs"]
    rows = [[str(cell) for cell in each.values()] for each in found]
    typer.echo(text_table(header, rows, left=3))
    typer.echo(
        "\nA trial is a fit for each fold. All about one: evenrank plan show NAME; run it: evenrank bench run NAME"
    )


def describe(plan: Plan) -> dict[str, Any]:
    """Return what one line of the list says of a plan."""
    from evenrank.benchmark.plan import widths

    studies = [(each, len(widths(plan, each))) for each in plan.methods]
    return {
        "title": plan.title,
        "dataset": plan.dataset,
        "methods": len(plan.methods),
        "trials": sum(count * plan.trials(each) for each, count in studies),
        "final runs": sum(count * plan.repeats for _, count in studies),
    }
