"""`evenrank bench`: run a plan, go on with it, see how far it is and what came of it."""

from __future__ import annotations

import typer

from evenrank.cli.bench.run import resume, run
from evenrank.cli.bench.status import status
from evenrank.cli.bench.table import table

bench = typer.Typer(
    name="bench",
    help="Compare methods by a plan: the same data, budget and seeds for all, and a test set that tuning cannot see.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
bench.command()(run)
bench.command()(resume)
bench.command()(status)
bench.command()(table)
