"""`evenrank plan check`: is a plan right, and what would it run?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def check(
    plan: Annotated[str, Argument(metavar="PLAN", help="A TOML file, or the name of one of evenrank plan list.")],
    json: Annotated[Path | None, Option(metavar="FILE", help="Write the whole plan here.")] = None,
) -> None:
    """Check a plan, and print what it would run. The data need not be there.

    Example: evenrank plan check digits
    """
    from evenrank.benchmark.shipped import read_plan
    from evenrank.cli.bench.expansion import expansion
    from evenrank.cli.evaluate import check_outputs

    check_outputs(json, None)
    chosen = read_plan(plan)
    if json:
        json.write_text(chosen.model_dump_json(indent=1) + "\n", "utf-8")
    typer.echo(expansion(chosen))
