"""What there is: every file of a plural folder holds one public class, and the file's name is its identifier.

The catalog reads the folders and parses the files; it imports one only when it is asked for. Adding a metric is adding
a file: no decorator, no list to keep.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from evenrank.parameters import nearest

ROOT = Path(__file__).parent


@dataclass(frozen=True)
class Entry:
    """One file of the catalog: its identifier, its class, and what can be read without importing it."""

    folder: str
    name: str  # file name below the folder, without suffix: "average_precision", "hashing/itq"
    public: str  # the class
    summary: str  # first line of the class's docstring
    constants: dict[str, Any]  # class attributes that are plain literals

    def load(self) -> Any:
        """Import the file and return its class."""
        module = ".".join(["evenrank", self.folder, *self.name.split("/")])
        return getattr(import_module(module), self.public)


@cache
def entries(folder: str) -> tuple[Entry, ...]:
    """Return the entries of a folder ("metrics", "methods", …), by name."""
    root = ROOT / folder
    files = (path for path in sorted(root.rglob("*.py")) if not path.name.startswith("_"))
    return tuple(_read(folder, path, root) for path in files)


def find(folder: str, name: str) -> Entry:
    """Return the entry called `name`: the file's name, or its path below the folder where names repeat."""
    fits = [entry for entry in entries(folder) if name in (entry.name, entry.name.rsplit("/", 1)[-1])]
    if len(fits) == 1:
        return fits[0]
    names = [entry.name for entry in fits or entries(folder)]
    what = "stands for more than one" if fits else "is not one"
    raise ValueError(f"{name!r} {what} of the {folder}: {', '.join(names)}{nearest(name, names)}")


def _read(folder: str, path: Path, root: Path) -> Entry:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    if len(classes) != 1:
        raise ValueError(f"{path.name} of {folder} must hold exactly one public class; got {len(classes)}")
    (node,) = classes
    summary = (ast.get_docstring(node) or "").split("\n")[0]
    name = path.relative_to(root).with_suffix("").as_posix()
    return Entry(folder, name, node.name, summary, dict(_literals(node)))


def _literals(node: ast.ClassDef) -> Any:
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            targets = [target.id for target in statement.targets if isinstance(target, ast.Name)]
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            targets = [statement.target.id]
        else:
            continue
        try:
            value = ast.literal_eval(statement.value) if statement.value else None
        except ValueError:
            continue
        yield from ((target, value) for target in targets)
