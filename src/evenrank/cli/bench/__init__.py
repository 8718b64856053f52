"""`evenrank bench`: run a plan, go on with it, and see how far it is."""

from __future__ import annotations

import typer

from evenrank.cli.bench.run import resume, run
from evenrank.cli.bench.status import status

bench = typer.Typer(
    name="bench",
    help="Compare methods by a plan: the same data, budget and seeds for all, and a test set that tuning cannot see.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
bench.command()(run)
bench.command()(resume)
bench.command()(status)
