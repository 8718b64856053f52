"""`evenrank data`: what there is, how it is had, whether it is whole, whether it leaks, and its features."""

from __future__ import annotations

import typer

from evenrank.cli.data.check import check
from evenrank.cli.data.features import features
from evenrank.cli.data.fetch import fetch
from evenrank.cli.data.listing import listing
from evenrank.cli.data.verify import verify

data = typer.Typer(
    name="data",
    help="List, fetch, verify and check datasets, and extract their features.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
data.command("list")(listing)
data.command()(fetch)
data.command()(verify)
data.command()(check)
data.command()(features)
