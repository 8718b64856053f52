"""`evenrank methods show`: all about one method, and the keywords it takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from evenrank.method import Method


def show(
    name: Annotated[str, Argument(help="Name of the method, like itq or hashing/itq.")],
    json: Annotated[Path | None, Option(metavar="FILE", help="Write all of it here.")] = None,
) -> None:
    """Show a method: what it does, its paper, and its keywords with default, allowed range and search range.

    Example: evenrank methods show hashing/talr_ap
    """
    from inspect import getdoc
    from json import dumps

    from evenrank.catalog import find
    from evenrank.cli.evaluate import check_outputs
    from evenrank.cli.methods.listing import describe

    check_outputs(json, None)
    entry = find("methods", name)
    cls: type[Method] = entry.load()
    about = {**describe(entry), "description": getdoc(cls), "parameters": parameters(cls)}
    if json:
        json.write_text(dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8")
    typer.echo(whole(about))


def parameters(method: type[Method]) -> list[dict[str, Any]]:
    """Return the keywords: name, default, what is allowed, and where on which scale a tuner searches (None: fixed)."""
    from dataclasses import fields

    from evenrank.parameters import ranges

    declared = {name: (allowed, optional) for name, allowed, optional in ranges(method)}
    found = []
    for field in fields(method):
        allowed, optional = declared.get(field.name, (field.type, False))
        search = getattr(allowed, "search", None)
        scale = {True: "logarithmic", False: "linear", None: "choice"}[getattr(allowed, "log", None)]
        about = {"default": field.default, "allowed": f"{allowed}{' or none' * optional}"}
        found.append({"name": field.name, **about, "search": search, "scale": scale if search else None})
    return found


def whole(about: dict[str, Any]) -> str:
    """Return all about a method for a person to read."""
    from evenrank.cli.methods.listing import LEARNS
    from evenrank.table import text_table

    lines = [
        ("kind", about["kind"]),
        ("reads", "features or images" if about["takes_images"] else "features"),
        ("learns from", LEARNS[about["supervision"]]),
        ("paper", about["paper"]),
        ("cost", about["cost"]),
    ]
    rows = [[each["name"], str(each["default"]), each["allowed"], searched(each)] for each in about["parameters"]]
    head = f"{about['name']}: {about['title']}\n{about['description']}\n\n"
    text = head + "\n".join(f"{key:<11}  {value}" for key, value in lines if value)
    return f"{text}\n\n{text_table(['keyword', 'default', 'allowed', 'searched by a tuner'], rows, left=4)}"


def searched(parameter: dict[str, Any]) -> str:
    """Return where a tuner searches, in words."""
    words = [str(each) for each in parameter["search"] or ()]
    scales = {"linear": " … ".join(words), "logarithmic": " … ".join(words) + " (logarithmic)", None: "–"}
    return scales.get(parameter["scale"], ", ".join(words))
