"""`evenrank plan show`: the text of a plan that comes with evenrank, to copy and change."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Argument


def show(name: Annotated[str, Argument(help="Name of the plan, of evenrank plan list.")]) -> None:
    """Print a plan: what of its paper it follows, what differs, and the plan itself.

    Example: evenrank plan show digits > mine.toml
    """
    from evenrank.benchmark.shipped import plan_file

    typer.echo(plan_file(name).read_text(encoding="utf-8"), nl=False)
