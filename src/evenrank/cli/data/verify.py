"""`evenrank data verify`: is a dataset whole, and is it the one that its publisher describes?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from evenrank.dataset import Dataset, Loader
    from evenrank.formats.images import ImageFiles

SAMPLE = 100  # images of a modality that are decoded, unless all are
EXAMPLES = 3  # files named where something is off


def verify(
    name: Annotated[str, Argument(help="Name, name(keyword=value) or path of the data.")],
    data: Annotated[Path | None, Option(metavar="DIR", help="Where datasets lie, if not EVENRANK_DATA.")] = None,
    every: Annotated[bool, Option("--all", help=f"Decode every image, not {SAMPLE} of them.")] = False,
    json: Annotated[Path | None, Option(metavar="FILE", help="Write what was found here.")] = None,
) -> None:
    """Load a dataset, compare it with its publisher's counts, look at its images, and print its checksum.

    The exit status is 1 if something is off.

    Example: evenrank data verify cifar10 --data data
    """
    from json import dumps

    from evenrank.cli.evaluate import check_outputs
    from evenrank.cli.progress import progress
    from evenrank.dataset import data_root, loader

    check_outputs(json, None)
    chosen = loader(name)
    dataset = chosen.load(data_root(data))
    found, published = {"items": len(dataset), "categories": categories(dataset)}, counts(chosen)
    with progress("looking at images") as report:
        missing = list(absent(dataset))
        unreadable = [] if missing else list(undecoded(dataset, every, report))
    wrong = [what for what in published if found[what] != published[what]]
    counted = [f"{found[what]:,} {what}, the publisher says {published[what]:,}" for what in wrong]
    off = counted + missing + unreadable
    checksum = None if missing else dataset.checksum
    if json:
        about = {"dataset": dataset.name, **found, "published": published, "checksum": checksum, "off": off}
        json.write_text(dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8")
    typer.echo(f"{dataset}\nSHA-256 of the content: {checksum or 'not computed, files are missing'}")
    typer.echo("\n".join(f"off: {line}" for line in off) or "nothing is off")
    if off:
        raise typer.Exit(1)


def categories(dataset: Dataset) -> int:
    """Return how many categories have an item."""
    import numpy as np

    if dataset.labels is None:
        return 0
    return int(dataset.labels.any(axis=0).sum()) if dataset.multilabel else len(np.unique(dataset.labels))


def counts(loader: Loader) -> dict[str, int]:
    """Return what the publisher says; it holds of a loader without options, since they choose among the items."""
    from dataclasses import fields

    if any(getattr(loader, field.name) != field.default for field in fields(loader)):
        return {}
    said = {"items": loader.items, "categories": loader.categories}
    return {what: count for what, count in said.items() if count is not None}


def image_files(dataset: Dataset) -> Iterator[tuple[str, ImageFiles]]:
    """Yield the modalities that are images in files."""
    from evenrank.formats.images import ImageFiles

    yield from ((name, media) for name, media in dataset.modalities.items() if isinstance(media, ImageFiles))


def absent(dataset: Dataset) -> Iterator[str]:
    """Yield a line for each modality whose images are not all there."""
    for name, files in image_files(dataset):
        missing = [str(path) for path in map(files.path, range(len(files))) if not path.is_file()]
        if missing:
            yield f"{len(missing):,} of {len(files):,} files of {name} are missing: {_some(missing)}"


def undecoded(dataset: Dataset, every: bool, progress: Callable[[int, int], None] | None) -> Iterator[str]:
    """Yield a line for each modality with images that cannot be decoded."""
    for name, files in image_files(dataset):
        count = len(files) if every else min(SAMPLE, len(files))
        problems = []
        for done in range(count):
            try:
                files[done * len(files) // count]  # spread evenly
            except ValueError as error:
                problems.append(str(error))
            if progress:
                progress(done + 1, count)
        if problems:
            yield f"{len(problems):,} of {count:,} images of {name} looked at cannot be read: {_some(problems)}"


def _some(lines: list[str]) -> str:
    more = f" and {len(lines) - EXAMPLES:,} more" if len(lines) > EXAMPLES else ""
    return "; ".join(lines[:EXAMPLES]) + more
