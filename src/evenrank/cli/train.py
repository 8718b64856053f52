"""`evenrank train`: fit a method on features, or on the training part of a dataset, and save it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from evenrank.cli.lesson import Lesson
    from evenrank.method import Method


def train(
    method: Annotated[str, Argument(help="Name or name(keyword=value, …), of evenrank methods list.")],
    out: Annotated[Path, Option(metavar="DIR", help="Folder to save the fitted method to.")],
    features: Annotated[
        list[str] | None,
        Option(metavar="[MODALITY=]FILE[:KEY]", help="Features or images; cross-media: once a modality."),
    ] = None,
    labels: Annotated[str, Option(metavar="FILE[:KEY]", help="One label an item, or a row of 0/1.")] = "",
    dataset: Annotated[str, Option(metavar="NAME", help="Instead of files: the training items of a dataset")] = "",
    protocol: Annotated[str, Option(metavar="NAME", help="under this protocol,")] = "",
    split: Annotated[str, Option(metavar="NAME", help="this split of it, if there are several,")] = "",
    modality: Annotated[str, Option(metavar="NAME", help="and this modality, if there are several.")] = "",
    data: Annotated[Path | None, Option(metavar="DIR", help="Where datasets lie, if not EVENRANK_DATA.")] = None,
    validation: Annotated[
        float, Option(metavar="SHARE", help="Hold out this share, and stop when it gains no more.", min=0, max=0.9)
    ] = 0.0,
    force: Annotated[bool, Option("--force", help="Replace the method that is saved there.")] = False,
    json: Annotated[Path | None, Option(metavar="FILE", help="Write what was fitted here.")] = None,
) -> None:
    """Fit a method and save it: JSON and plain arrays, in a folder that appears whole or not at all.

    Example: evenrank train "itq(bits=48, iterations=20)" --features train.npy --out itq48

    Example: evenrank train hashing/talr_ap --dataset digits --protocol "hold_out(share=0.1)" --out talr
    """
    from json import dumps
    from time import perf_counter

    from evenrank.catalog import make
    from evenrank.cli.encode import described, encoded
    from evenrank.cli.evaluate import check_outputs
    from evenrank.cli.lesson import from_files, from_parts
    from evenrank.cli.parts import parts
    from evenrank.parameters import validate

    check_outputs(json, None)
    out = check_folder(out, force)
    made: Method = make("methods", method)
    validate(made)
    check_validation(made, validation)
    if bool(dataset) == bool(features) or any([labels] if dataset else [protocol, split, modality, data]):
        raise ValueError("items must come from --features and --labels, or from --dataset and its options")
    chosen = parts(dataset, protocol, split, data) if dataset else None
    lesson = from_parts(made, chosen, modality) if chosen else from_files(made, features or [], labels)
    start = perf_counter()
    fit(made, lesson, validation)
    seconds = perf_counter() - start
    store(made, out)
    [(name, items), *_] = lesson.items.items()
    result = described(encoded(made, items[:1], name))
    if json:
        about = {"method": method, "parameters": made.get_params(), "items": str(lesson), "makes": result}
        json.write_text(dumps({**about, "seconds": seconds, "folder": str(out)}, indent=1) + "\n", "utf-8")
    typer.echo(f"{method} fitted on {lesson} in {seconds:.1f} s")
    typer.echo(f"it makes {result}; saved to {out}")


def check_folder(out: Path, force: bool) -> Path:
    """Return the folder to save to, in full; whatever is there stays, unless it is a saved method and `force`."""
    out = out.resolve()
    if not out.parent.is_dir():
        raise ValueError(f"{out}: the folder {out.parent} does not exist")
    if not out.exists():
        return out
    if not out.is_dir() or {path.name for path in out.iterdir()} != {"method.json", "arrays.npz"}:
        raise ValueError(f"{out}: is there already, and is no saved method")
    if not force:
        raise ValueError(f"{out}: a method is saved there already; --force replaces it")
    return out


def check_validation(method: Method, share: float) -> None:
    """Raise ValueError if items shall be held out of a method that has no use for them."""
    from inspect import signature

    if share and "validation" not in signature(method.fit).parameters:
        raise ValueError(f"{type(method).__name__} is not trained step by step: --validation must not be given")


def fit(method: Method, lesson: Lesson, share: float) -> None:
    """Fit a method; what it warns of is a line on standard error."""
    import warnings

    from rich.console import Console

    known, held = lesson.divided(share) if share else (lesson, None)
    keywords = {"validation": (held.x, held.y)} if held else {}
    with warnings.catch_warnings(record=True) as said, Console(stderr=True).status("fitting"):
        method.fit(known.x, known.y, **keywords)
    for each in said:
        typer.echo(f"evenrank: {each.message}", err=True)


def store(method: Method, out: Path) -> None:
    """Save a method to a folder that appears whole, in the place of one that may be there."""
    from shutil import rmtree

    beside, old = (out.with_name(f".{out.name}.{os.getpid()}.{state}") for state in ("partial", "old"))
    try:
        method.save(beside)
        if out.exists():
            out.rename(old)
        beside.rename(out)
        rmtree(old, ignore_errors=True)
    finally:
        rmtree(beside, ignore_errors=True)
