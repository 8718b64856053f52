"""What there is: every file of a plural folder holds one public class, and the file's name is its identifier.

The catalog reads the folders and parses the files; it imports one only when it is asked for. Adding a metric is adding
a file: no decorator, no list to keep.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import getdoc, signature
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
    constants: dict[str, Any]  # class attributes that are plain literals, inherited ones among them

    @property
    def module(self) -> str:
        """The file, as imports call it."""
        own, colon, _ = self.name.partition(":")
        return own if colon else ".".join(["evenrank", self.folder, *self.name.split("/")])

    def load(self) -> Any:
        """Import the file and return its class."""
        return getattr(import_module(self.module), self.public)


def entries(folder: str) -> tuple[Entry, ...]:
    """Return the entries of a folder ("metrics", "methods", …), by name."""
    return tuple(_read(folder, name) for name in _names(folder))


def find(folder: str, name: str) -> Entry:
    """Return the entry called `name`: the file's name, or its path below the folder where names repeat.

    A class of one's own is "module:Class", like "my.methods:Mine"; its module is imported at once.
    """
    if ":" in name:
        return _own(folder, name)
    fits = [known for known in _names(folder) if name in (known, known.rsplit("/", 1)[-1])]
    if len(fits) == 1:
        return _read(folder, fits[0])
    names = fits or list(_names(folder))
    what = "stands for more than one" if fits else "is not one"
    raise ValueError(f"{name!r} {what} of the {folder}: {', '.join(names)}{nearest(name, names)}")


@cache
def _names(folder: str) -> tuple[str, ...]:
    root = ROOT / folder
    files = (path for path in root.rglob("*.py") if not path.name.startswith("_"))
    return tuple(path.relative_to(root).with_suffix("").as_posix() for path in sorted(files))


def _own(folder: str, name: str) -> Entry:
    home, _, public = name.partition(":")
    try:
        cls = getattr(import_module(home), public)
    except (AttributeError, ImportError, ValueError) as error:
        raise ValueError(f"{name!r} of the {folder} must be module:Class, found on Python's path; {error}") from None
    constants = {key: getattr(cls, key) for key in dir(cls) if not key.startswith("_")}
    plain = {key: value for key, value in constants.items() if isinstance(value, (str, int, float, tuple))}
    return Entry(folder, name, public, (getdoc(cls) or "").split("\n")[0], plain)


def make(folder: str, text: str) -> Any:
    """Return the object that `text` names, written as a call with keywords: "synthetic(items=500, difficulty=2)".

    Words need no quotes, anything else (a path) does: "bundle(path='my/bundle.npz')".

    >>> make("protocols", "extendable(folds=3, classes=shuffled)").folds
    3
    """
    name, keywords = call(text, folder)
    cls = find(folder, name).load()
    known = list(signature(cls).parameters)
    for keyword in keywords:
        if keyword not in known:
            listed = ", ".join(known) or "none"
            raise ValueError(f"{name} has no keyword {keyword!r}; there are {listed}{nearest(keyword, known)}")
    try:
        return cls(**keywords)
    except TypeError as error:
        raise ValueError(f"{text}: {error}") from None


def call(text: str, folder: str) -> tuple[str, dict[str, Any]]:
    """Return the name and the keywords of a written call; the text is parsed, never run.

    >>> call("itq(bits=16)", "methods")
    ('itq', {'bits': 16})
    """
    head, bracket, _ = text.partition("(")
    try:
        call = ast.parse(f"_({text[len(head) + 1 :]}" if bracket else "_()", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        keywords = {str(each.arg): _value(each.value) for each in call.keywords}
        if len(keywords) < len(call.keywords):
            raise ValueError
        return head.strip(), keywords
    except (RecursionError, SyntaxError, TypeError, ValueError):
        raise ValueError(f"{text!r} of the {folder} must be written name or name(keyword=value, …)") from None


def _value(node: ast.expr) -> Any:
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


@cache
def _read(folder: str, name: str) -> Entry:
    path = ROOT / folder / f"{name}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    if len(classes) != 1:
        raise ValueError(f"{path.name} of {folder} must hold exactly one public class; got {len(classes)}")
    (node,) = classes
    summary = (ast.get_docstring(node) or "").split("\n")[0]
    return Entry(folder, name, node.name, summary, _constants(path, node.name))


@cache
def _constants(path: Path, name: str) -> dict[str, Any]:
    """Return the constants of a class, those of its base classes in this package among them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    [node] = (each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == name)
    homes = dict(_imports(tree))
    inherited: dict[str, Any] = {}
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in homes:
            inherited = _constants(homes[base.id], base.id) | inherited
    return inherited | dict(_literals(node))


def _imports(tree: ast.Module) -> Iterator[tuple[str, Path]]:
    """Yield (class, file) of what a file imports from files of this package."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("evenrank."):
            path = ROOT.joinpath(*str(node.module).split(".")[1:]).with_suffix(".py")
            yield from ((alias.name, path) for alias in node.names if path.is_file() and alias.name[:1].isupper())


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
