"""`evenrank bench status`: how far the plans of a store are, and what failed."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Option

from evenrank.cli.bench.run import STORE


def status(
    store: Annotated[str, Option(metavar="FILE|URL", help="SQLite file or postgresql:// address.")] = STORE,
) -> None:
    """Show how far each plan is, its table so far, which jobs failed and how often the test set was opened.

    Example: evenrank bench status --store digits.sqlite
    """
    from pathlib import Path

    from evenrank.benchmark.store import Store
    from evenrank.benchmark.table import table

    if "://" not in store and not Path(store).is_file():
        raise ValueError(f"{store}: no such store; begin with evenrank bench run")
    kept = Store(store)
    for plan in kept.plans().values():
        rows = kept.rows(plan)
        failed = [row for row in rows if row["traceback"]]
        finals = sum(row["kind"] == "final" for row in rows)
        typer.echo(f"{plan.title}: {len(rows)} jobs done, {finals} of them final, {len(failed)} failed\n")
        typer.echo(table(plan, kept))
        for row in failed:
            typer.echo(f"\n{row['key']} {row['parameters']}\n{row['traceback']}")
