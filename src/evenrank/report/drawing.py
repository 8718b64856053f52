"""All figures of a report: the folder `figures/` is the table of contents.

A file there has a TITLE, a place in the ORDER, what it NEEDS in the words of a reader, and `draw(contents)`, which
returns a figure, or None where the run has nothing for it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from evenrank.report.contents import Contents
from evenrank.report.figure import Figure

FOLDER = Path(__file__).parent / "figures"


class Listed(NamedTuple):
    """A figure that can be drawn: the name of its file, its title, and what it needs."""

    name: str
    title: str
    needs: str
    order: int


class Drawn(NamedTuple):
    """A figure of a run; None: the run has nothing for it."""

    listed: Listed
    figure: Figure | None


def listed() -> list[Listed]:
    """Return all figures in their order, without importing them."""
    found = [_read(path) for path in FOLDER.glob("*.py") if path.stem != "__init__"]
    return sorted(found, key=lambda each: (each.order, each.name))


def drawn(contents: Contents) -> list[Drawn]:
    """Return every figure of a run."""
    return [Drawn(each, _draw(each.name)(contents)) for each in listed()]


def _draw(name: str) -> Callable[[Contents], Figure | None]:
    draw: Callable[[Contents], Figure | None] = import_module(f"evenrank.report.figures.{name}").draw
    return draw


def _read(path: Path) -> Listed:
    constants = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id.isupper():
            constants[node.targets[0].id] = node.value
    title, order, needs = (ast.literal_eval(constants[name]) for name in ("TITLE", "ORDER", "NEEDS"))
    return Listed(path.stem, title, needs, order)
