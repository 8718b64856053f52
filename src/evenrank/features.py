"""From images and texts to a bundle of features, in blocks that survive an interruption.

Every finished block lies in a file of its own, named by a hash of all that decides its values: the dataset's content,
the extractor with its options, files and library versions, and the block's rows. A second run finds the blocks of the
first; anything changed gives other names, so it starts over. The bundle is written last, in one step.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.arrays import load_array
from evenrank.dataset import SHOWN, Dataset, Media
from evenrank.extractor import Extract, Extractor, media
from evenrank.extractors._squares import squares
from evenrank.formats.bundles import save_bundle
from evenrank.formats.whole import whole

FORMAT = "evenrank features 2"  # 1 kept no pictures and no texts

PICTURED = 20_000  # items that keep pictures; of more, they would be larger than the features
SIDE = 48  # pixels of a picture
TEXT = 300  # characters of a text

Progress = Callable[[int, int], None]


def extract(
    dataset: Dataset,
    extractors: Mapping[str, Extractor],
    out: Path,
    *,
    batch: int = 64,
    progress: Progress | None = None,
) -> Path:
    """Write the features of a dataset to out/bundle.npz and how they were made to out/bundle.json; return the former.

    What an extractor learns it learns from the official training part, or from all items where there is none.
    Modalities without an extractor are kept if they are features already. So that a report can show items, sets of up
    to 20,000 keep small pictures and the beginnings of texts, as `shown_…`. An interrupted run continues when called
    again, and a finished one is not repeated.
    """
    _check(dataset, extractors, batch)
    about = describe(dataset, extractors, batch)
    text = json.dumps(about, indent=1, ensure_ascii=False) + "\n"
    bundle, companion, unfinished = out / "bundle.npz", out / "bundle.json", out / ".partial"
    if bundle.is_file() and companion.is_file() and companion.read_text(encoding="utf-8") == text:
        return bundle
    blocks = {name: _blocks(unfinished, about, name, len(dataset), batch) for name in extractors}
    _keep_only(unfinished, {file for files in blocks.values() for file in files})
    arrays = {name: np.asarray(dataset.modalities[name]) for name in about["kept"]}
    finished, total = 0, len(extractors) * len(dataset)
    for name, extractor in extractors.items():
        for rows in _fill(dataset, name, extractor, blocks[name]):
            finished += rows
            if progress:
                progress(finished, total)
        arrays[name] = np.concatenate([load_array(file) for file in blocks[name]])
    companion.unlink(missing_ok=True)  # so that it never stands beside another bundle than its own
    save_bundle(bundle, {**arrays, **_labels(dataset), **_looks(dataset, list(arrays))}, overwrite=True)
    with whole(companion) as beside:
        beside.write_text(text, encoding="utf-8")
    shutil.rmtree(unfinished)
    return bundle


def describe(dataset: Dataset, extractors: Mapping[str, Extractor], batch: int) -> dict[str, Any]:
    """Return all that decides the values of a bundle: what `bundle.json` holds."""
    others = [name for name in dataset.modalities if name not in extractors]
    kept = [name for name in others if _is_features(dataset.modalities[name])]
    return {
        "format": FORMAT,
        "dataset": {"name": dataset.name, "items": len(dataset), "checksum": dataset.checksum},
        "features": {name: _described(extractor, dataset) for name, extractor in extractors.items()},
        "kept": kept,
        "left out": [name for name in others if name not in kept],
        "batch": batch,
    }


def _described(extractor: Extractor, dataset: Dataset) -> dict[str, Any]:
    rows = f"{len(_training(dataset)):,} of {len(dataset):,} items"
    return {
        "extractor": extractor.name,
        "options": extractor.options,
        "libraries": {name: _version(name, extractor) for name in extractor.libraries},
        "files": {file.name: _digest(file) for file in extractor.files()},
        "fitted on": rows if extractor.learns else "nothing",
        "note": extractor.note,
    }


def _version(library: str, extractor: Extractor) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        raise ValueError(f"{extractor.name} needs {library}: pip install 'evenrank[features]'") from None


def _digest(file: Path) -> str:
    if not file.is_file():
        raise ValueError(f"{file}: no such file")
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _check(dataset: Dataset, extractors: Mapping[str, Extractor], batch: int) -> None:
    if not extractors:
        raise ValueError(f"name an extractor for one of the modalities of {dataset.name}: {_listed(dataset)}")
    if batch < 1:
        raise ValueError(f"batch must be at least 1; got {batch}")
    for name, extractor in extractors.items():
        if name not in dataset.modalities:
            raise ValueError(f"{dataset.name} has no modality {name!r}; there are {_listed(dataset)}")
        found = media(dataset.modalities[name])
        if found != extractor.reads:
            raise ValueError(f"{extractor.name} reads {extractor.reads}s; {name} of {dataset.name} holds {found}")


def _listed(dataset: Dataset) -> str:
    return ", ".join(dataset.modalities)


def _is_features(items: Media) -> bool:
    return isinstance(items, np.ndarray) and items.ndim == 2 and items.dtype.kind == "f"


def _training(dataset: Dataset) -> np.ndarray:
    chosen = dataset.train if dataset.train is not None and dataset.train.any() else np.ones(len(dataset), bool)
    return np.flatnonzero(chosen)


def _labels(dataset: Dataset) -> dict[str, np.ndarray]:
    classes = np.array(dataset.classes, np.str_) if dataset.classes else None
    columns = {
        "label": dataset.labels,
        "superclass": dataset.superclasses,
        "train": dataset.train,
        "classes": classes,
    }
    return {name: column for name, column in columns.items() if column is not None}


def _looks(dataset: Dataset, modalities: Sequence[str]) -> dict[str, np.ndarray]:
    """Return what items look like in each modality of the bundle, where that is known and small."""
    looks = {name: _look(dataset.modalities[name]) for name in modalities} if len(dataset) <= PICTURED else {}
    kept = {name: dataset.extras.get(f"{SHOWN}{name}") for name in modalities}
    found = {name: kept[name] if look is None else look for name, look in {**kept, **looks}.items()}
    return {f"{SHOWN}{name}": look for name, look in found.items() if look is not None}


def _look(items: Media) -> np.ndarray | None:
    if isinstance(items, np.ndarray) and media(items) == "image" and max(items.shape[1:3]) <= SIDE:
        return items
    if media(items) == "image":
        return squares(items, SIDE, SIDE, "bilinear")
    return np.array([text[:TEXT] for text in items], np.str_) if media(items) == "text" else None


def _blocks(folder: Path, about: dict[str, Any], name: str, items: int, batch: int) -> dict[Path, slice]:
    """Return the file and the rows of each block of a modality."""
    decisive = json.dumps([about["dataset"], name, about["features"][name]], sort_keys=True)
    blocks = {}
    for first in range(0, items, batch):
        rows = slice(first, min(first + batch, items))
        key = hashlib.sha256(f"{decisive} {rows.start} {rows.stop}".encode()).hexdigest()
        blocks[folder / f"{key}.npy"] = rows
    return blocks


def _keep_only(folder: Path, files: set[Path]) -> None:
    """Remove what an earlier run with other settings left, or one that was stopped while it wrote."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        if file not in files:
            file.unlink()


def _fill(dataset: Dataset, name: str, extractor: Extractor, blocks: dict[Path, slice]) -> Iterator[int]:
    """Make every block that is not there yet; yield the rows of each."""
    items = dataset.modalities[name]
    turn: Extract | None = None
    for file, rows in blocks.items():
        count = rows.stop - rows.start
        if not _is_there(file, count):
            turn = turn or extractor.fit(items[_training(dataset)])
            with whole(file) as beside, beside.open("wb") as stream:
                np.save(stream, turn(items[rows]))
        yield count


def _is_there(file: Path, rows: int) -> bool:
    try:
        return len(load_array(file)) == rows
    except ValueError:
        return False
