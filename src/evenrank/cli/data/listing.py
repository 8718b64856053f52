"""`evenrank data list`: which datasets there are, and all about one of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from evenrank.catalog import Entry
    from evenrank.dataset import Loader


def listing(
    name: Annotated[str, Argument(metavar="[NAME]", help="Show all about this one.")] = "",
    data: Annotated[Path | None, Option(metavar="DIR", help="Where datasets lie, if not EVENRANK_DATA.")] = None,
    json: Annotated[Path | None, Option(metavar="FILE", help="Write all of it here.")] = None,
) -> None:
    """List the datasets: media types, items, categories, whether they are there, and how they are had.

    Example: evenrank data list cifar10
    """
    from evenrank.catalog import entries, find
    from evenrank.cli.evaluate import check_outputs
    from evenrank.dataset import data_root

    check_outputs(json, None)
    root = data_root(data)
    found = [describe(entry, root) for entry in ([find("datasets", name)] if name else entries("datasets"))]
    if json:
        write(json, root, found)
    typer.echo(whole(found[0]) if name else table(found))
    typer.echo(f"\nlooked in {root}")


def describe(entry: Entry, root: Path) -> dict[str, Any]:
    """Return everything about one dataset."""
    loader: type[Loader] = entry.load()
    settings = options(loader)
    constants = ("title", "media", "items", "categories", "needs", "source", "licence", "citation", "downloads")
    about = {constant: None if constant in settings else getattr(loader, constant) for constant in constants}
    had = obtained(loader, settings)
    present = loader.present(root) if had != "your own" else None
    about |= {"name": entry.name, "summary": entry.summary, "had": had, "there": present, "options": settings}
    return about


def obtained(loader: type[Loader], settings: dict[str, str]) -> str:
    """Return how the files of a dataset are had."""
    if "path" in settings:
        return "your own"
    if loader.needs == ((),):
        return "built in"
    return "fetch" if loader.downloads else "by hand"


def options(loader: type[Loader]) -> dict[str, str]:
    """Return what each option may be, and its default."""
    from dataclasses import MISSING, fields

    from evenrank.parameters import ranges

    allowed = {name: f"{what} or none" if optional else str(what) for name, what, optional in ranges(loader)}
    defaults = {field.name: "required" if field.default is MISSING else field.default for field in fields(loader)}
    kinds = {field.name: allowed.get(field.name, field.type) for field in fields(loader)}
    return {name: f"{kinds[name]} ({default})" for name, default in defaults.items()}


def count(number: int | None) -> str:
    """Return a count, or a dash where it depends on the files or on options."""
    return "–" if number is None else f"{number:,}"


def table(found: list[dict[str, Any]]) -> str:
    """Return one line a dataset."""
    from evenrank.table import text_table

    yes = {True: "yes", False: "no", None: "–"}
    words = [[*(each[key] for key in ("name", "title", "media", "had")), yes[each["there"]]] for each in found]
    numbers = [[count(each["items"]), count(each["categories"])] for each in found]
    rows = [[*left, *right] for left, right in zip(words, numbers, strict=True)]
    return text_table(["name", "title", "media", "had", "there", "items", "categories"], rows, left=5)


def whole(about: dict[str, Any]) -> str:
    """Return all about one dataset, a line each."""
    yes = {True: "yes", False: "no", None: "where you say"}
    lines = [
        ("media", about["media"]),
        ("items", count(about["items"])),
        ("categories", count(about["categories"])),
        ("had", about["had"]),
        ("there", yes[about["there"]]),
        *(("needs" if place == 0 else "or", ", ".join(names)) for place, names in enumerate(about["needs"])),
        *((key, about[key]) for key in ("source", "licence", "citation")),
        *(("download", f"{address} {checksum}".strip()) for address, checksum, _ in about["downloads"]),
        *(("option", f"{name}: {what}") for name, what in about["options"].items()),
    ]
    head = f"{about['name']}: {about['title']}\n{about['summary']}\n\n"
    return head + "\n".join(f"{key:<10}  {value}" for key, value in lines if value)


def write(path: Path, root: Path, found: list[dict[str, Any]]) -> None:
    """Write what was found as JSON."""
    from json import dumps

    path.write_text(dumps({"root": str(root), "datasets": found}, indent=1, ensure_ascii=False) + "\n", "utf-8")
