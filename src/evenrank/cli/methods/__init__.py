"""`evenrank methods`: which methods there are, and all about one of them."""

from __future__ import annotations

import typer

from evenrank.cli.methods.listing import listing
from evenrank.cli.methods.show import show

methods = typer.Typer(
    name="methods",
    help="List the methods that train and encode, and show what one of them is and takes.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
methods.command("list")(listing)
methods.command()(show)
