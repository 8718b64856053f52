"""`evenrank encode`: codes or embeddings of features, by a method that was trained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    import numpy as np

    from evenrank.codes import Codes
    from evenrank.embeddings import Embeddings
    from evenrank.method import Method

Part = Literal["train", "validation", "query", "database"]
SUFFIXES = (".npy", ".npz", ".faiss")


def encode(
    folder: Annotated[Path, Argument(metavar="DIR", help="What evenrank train wrote.")],
    out: Annotated[Path, Option(metavar="FILE", help="Where to write: .npy, .npz or .faiss.")],
    features: Annotated[str, Option(metavar="FILE[:KEY]", help="Features or images.")] = "",
    dataset: Annotated[str, Option(metavar="NAME", help="Instead of a file: items of a dataset")] = "",
    protocol: Annotated[str, Option(metavar="NAME", help="under this protocol,")] = "",
    part: Annotated[Part, Option(help="of this part,")] = "database",
    split: Annotated[str, Option(metavar="NAME", help="in this split, if there are several.")] = "",
    modality: Annotated[str, Option(metavar="NAME", help="Which, if the data or the method have several.")] = "",
    data: Annotated[Path | None, Option(metavar="DIR", help="Where datasets lie, if not EVENRANK_DATA.")] = None,
    force: Annotated[bool, Option("--force", help="Replace the file if it is there.")] = False,
) -> None:
    """Encode features with a method that was trained.

    Codes are written packed, eight bits a byte: .npy holds them alone; .npz has arrays packed, bits and, of a dataset,
    labels; .faiss is an index that faiss reads (IndexBinaryFlat), filled up with zeros to whole bytes. Embeddings are
    written as they are: .npy alone, .npz as arrays values, distance and labels.

    Example: evenrank encode itq48 --features database.npy --out database.npz
    """
    from rich.console import Console

    from evenrank.arrays import load_array
    from evenrank.cli.evaluate import split_key
    from evenrank.cli.parts import parts
    from evenrank.method import load

    check_file(out, force)
    if bool(dataset) == bool(features) or (features and (protocol or split or data)):
        raise ValueError("items must come from --features, or from --dataset and its options")
    method = load(folder)
    chosen = parts(dataset, protocol, split, data) if dataset else None
    x = chosen.items(part, modality) if chosen else load_array(*split_key(features))
    with Console(stderr=True).status("encoding"):
        found = encoded(method, x, modality)
    write(out, found, chosen.labels(part) if chosen else None)
    typer.echo(f"{len(found):,} {described(found)}, written to {out}")


def check_file(out: Path, force: bool) -> None:
    """Raise ValueError if the file could not be written, or would replace another."""
    if out.suffix not in SUFFIXES:
        raise ValueError(f"{out}: the suffix must be one of {', '.join(SUFFIXES)}; got {out.suffix!r}")
    if not out.parent.is_dir():
        raise ValueError(f"{out}: the folder {out.parent} does not exist")
    if out.exists() and not force:
        raise ValueError(f"{out}: is there already; --force replaces it")


def encoded(method: Method, x: Any, modality: str) -> Codes | Embeddings:
    """Return the codes or embeddings of items; a cross-media method must know of which modality they are."""
    from evenrank.cross_media_method import CrossMediaMethod

    return method.encode(x, modality) if isinstance(method, CrossMediaMethod) else method.encode(x)


def described(items: Codes | Embeddings) -> str:
    """Return what items are, in words."""
    from evenrank.codes import Codes

    if isinstance(items, Codes):
        return f"codes of {items.bits} bits"
    return f"embeddings of {items.dimensions} dimensions, {items.distance}"


def write(out: Path, items: Codes | Embeddings, labels: np.ndarray | None) -> None:
    """Write items in the format that the suffix says; the file appears whole or not at all."""
    import numpy as np

    from evenrank.codes import Codes
    from evenrank.formats.bundles import save_bundle
    from evenrank.formats.faiss_binary import write_index
    from evenrank.formats.whole import whole

    if isinstance(items, Codes):
        array = items.bytes()
        named = {"packed": array, "bits": np.array(items.bits)}
    else:
        array = np.asarray(items.values)
        named = {"values": array, "distance": np.array(items.distance)}
    if out.suffix == ".npz":
        save_bundle(out, named if labels is None else {**named, "labels": labels}, overwrite=True)
    elif out.suffix == ".npy":
        with whole(out) as beside, beside.open("wb") as stream:
            np.lib.format.write_array(stream, array, allow_pickle=False)
    elif isinstance(items, Codes):
        write_index(out, array)
    else:
        raise ValueError(f"{out}: an index is of codes; got {described(items)}")
