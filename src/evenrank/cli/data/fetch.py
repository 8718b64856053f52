"""`evenrank data fetch`: download a dataset's official files, check them, and put them into place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def fetch(
    name: Annotated[str, Argument(help="Name of the dataset.")],
    data: Annotated[Path | None, Option(metavar="DIR", help="Where datasets lie, if not EVENRANK_DATA.")] = None,
    mirror: Annotated[str | None, Option(metavar="URL", help="A folder that holds files of the same names.")] = None,
    keep: Annotated[bool, Option("--keep", help="Keep archives in DIR/.downloads after unpacking.")] = False,
) -> None:
    """Download a dataset's official files; run it again after an interruption, and it continues.

    Example: evenrank data fetch cifar10 --data data
    """
    from evenrank.cli.progress import progress
    from evenrank.dataset import data_root, loader
    from evenrank.fetching import fetch as fetch_files

    chosen, root = loader(name), data_root(data)
    with progress(f"fetching {chosen.title}") as report:
        fetched = fetch_files(chosen, root, mirror=mirror, keep=keep, progress=report)
    for each in fetched:
        whose = "as published" if each.published else "noted, for none is published"
        typer.echo(f"{each.address}\n  {each.checksum} ({whose})\n  {', '.join(each.entries)}")
    typer.echo(f"{chosen.title} is in {root}" if fetched else f"{chosen.title} is there already: nothing to fetch")
