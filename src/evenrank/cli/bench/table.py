"""`evenrank bench table`: the results of the plans of a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Option

from evenrank.cli.bench.run import STORE

Format = Literal["text", "markdown", "latex", "json"]


def table(
    store: Annotated[str, Option(metavar="FILE|URL", help="SQLite file or postgresql:// address.")] = STORE,
    format: Annotated[Format, Option(help="Of what is printed or written.")] = "text",  # noqa: A002
    out: Annotated[Path | None, Option(metavar="FILE", help="Write it here, and print nothing.")] = None,
) -> None:
    """Show what every method reached: mean and interval over repeats, and the settings that tuning chose.

    Example: evenrank bench table --store digits.sqlite --format markdown
    """
    from json import dumps

    from evenrank.benchmark.store import Store
    from evenrank.benchmark.table import record
    from evenrank.benchmark.table import table as results
    from evenrank.cli.evaluate import check_outputs

    check_outputs(out, None)
    kept = Store.existing(store)
    plans = kept.plans().values()
    with kept.undamaged():
        if format == "json":
            text = dumps({"plans": [record(plan, kept) for plan in plans]}, indent=1, ensure_ascii=False)
        else:
            mark = {"text": "", "markdown": "## ", "latex": "% "}[format]
            text = "\n\n".join(f"{mark}{plan.title}\n\n{results(plan, kept, format)}" for plan in plans)
    if out:
        out.write_text(text + "\n", "utf-8")
    else:
        typer.echo(text)
