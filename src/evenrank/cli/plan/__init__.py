"""`evenrank plan`: which plans there are, what a plan may say, and whether one is right."""

from __future__ import annotations

import typer

from evenrank.cli.plan.check import check
from evenrank.cli.plan.listing import listing
from evenrank.cli.plan.schema import schema
from evenrank.cli.plan.show import show

plan = typer.Typer(
    name="plan",
    help="List the plans that come with evenrank, check one of your own, and say what a plan may hold.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
plan.command("list")(listing)
plan.command()(show)
plan.command()(check)
plan.command()(schema)
