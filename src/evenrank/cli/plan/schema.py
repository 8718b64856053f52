"""`evenrank plan schema`: what a plan may hold, as a JSON schema."""

from __future__ import annotations

import typer


def schema() -> None:
    """Print the JSON schema of a plan, by which editors complete and check TOML files.

    Example: evenrank plan schema > plan.schema.json
    """
    from json import dumps

    from evenrank.benchmark.plan import Plan

    typer.echo(dumps(Plan.model_json_schema(), indent=1, ensure_ascii=False))
