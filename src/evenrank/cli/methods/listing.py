"""`evenrank methods list`: every method of the catalog, read without importing one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Option

if TYPE_CHECKING:
    from evenrank.catalog import Entry

LEARNS = {"none": "features alone", "relevance": "labels or relevance", "labels": "labels"}


def listing(json: Annotated[Path | None, Option(metavar="FILE", help="Write all of it here.")] = None) -> None:
    """List the methods: what they make, what they learn from, where they come from, and what fitting costs.

    Example: evenrank methods list
    """
    from json import dumps

    from evenrank.catalog import entries
    from evenrank.cli.evaluate import check_outputs
    from evenrank.table import text_table

    check_outputs(json, None)
    found = [describe(entry) for entry in entries("methods")]
    if json:
        json.write_text(dumps({"methods": found}, indent=1, ensure_ascii=False) + "\n", "utf-8")
    header = ["name", "title", "kind", "learns from", "paper", "cost of fitting"]
    rows = [
        [*(each[key] for key in ("name", "title", "kind")), LEARNS[each["supervision"]], each["paper"], each["cost"]]
        for each in found
    ]
    typer.echo(text_table(header, rows, left=len(header)))
    typer.echo("\nA paper that is a number is one of docs/papers.md. All about one: evenrank methods show NAME")


def describe(entry: Entry) -> dict[str, Any]:
    """Return what is known of a method without importing it."""
    about = {key: entry.constants[key] for key in ("title", "supervision", "takes_images", "paper", "cost")}
    return {"name": entry.name, "kind": entry.name.split("/")[0], "summary": entry.summary, **about}
