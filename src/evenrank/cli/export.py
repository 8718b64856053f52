"""`evenrank export`: what other tools read, made from a store."""

from __future__ import annotations

from typing import Annotated

import typer
from typer import Option

from evenrank.cli.bench.run import STORE


def export(
    store: Annotated[str, Option(metavar="FILE|URL", help="SQLite file or postgresql:// address.")] = STORE,
    optuna_storage: Annotated[
        str,
        Option(metavar="URL", help="Where optuna's studies go, like sqlite:///FILE; the store itself if not given."),
    ] = "",
) -> None:
    """Write the tuning trials of every plan as optuna's studies, which its dashboard shows. Again: adds what is new.

    Example: evenrank export --store digits.sqlite && optuna-dashboard sqlite:///digits.sqlite
    """
    from sqlalchemy.exc import SQLAlchemyError

    from evenrank.benchmark.store import Store
    from evenrank.benchmark.studies import export as export_studies

    kept = Store.existing(store)
    for plan in kept.plans().values():
        try:
            with kept.undamaged():
                added = export_studies(plan, kept, optuna_storage)
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
            raise ValueError(f"{optuna_storage or kept.address}: cannot be written by optuna: {cause}") from error
        for name, count in added.items():
            typer.echo(f"{name}: {count} trials added")
