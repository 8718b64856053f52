"""The data of a plan, cut in two: the rows that tuning may know, and the rows that stay sealed until the final runs.

Cutting is done once, by a process of its own that ends thereafter, so that neither the runner nor a tuning process ever
holds a row of the test set. Both parts are folders of plain arrays, read by memory maps; the known part comes with
the folds by which settings are judged.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.sealing import opened
from evenrank.dataset import SHOWN, Dataset, dataset
from evenrank.leaks import Fingerprints, check
from evenrank.protocol import Protocol, order, protocol
from evenrank.split import Split, load_splits, save_splits

HELD_OUT = 5  # parts of the training items, of which one is held out where a protocol has no validation
COLUMNS = ("labels", "superclasses", "train")


class Known(NamedTuple):
    """What tuning sees: the known rows as a dataset, and one split a fold."""

    data: Dataset
    folds: list[Split]


def prepare(plan: Plan, folder: Path) -> None:
    """Cut the plan's dataset and write both parts below `folder`; does nothing if they are there.

    One process cuts at a time, and what it has half done when it is killed is removed by the next.
    """
    with _alone(folder.parent):
        if not (folder / "about.json").exists():
            _prepare(plan, folder)


@contextmanager
def _alone(workspace: Path) -> Iterator[None]:
    """Lock a folder; the lock ends with the process that holds it."""
    workspace.mkdir(parents=True, exist_ok=True)
    held = os.open(workspace, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _prepare(plan: Plan, folder: Path) -> None:
    with opened() as sources:
        data, rule = dataset(plan.dataset), protocol(plan.protocol)
    splits = list(rule.splits(data))
    known = np.unique(np.concatenate([np.concatenate([split.train, split.validation]) for split in splits]))
    if any(plan.trials(each) for each in plan.methods):
        _check_sealed(plan, splits, known)
    sealed = np.setdiff1d(np.arange(len(data)), known)
    beside = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(beside, ignore_errors=True)
    for name, rows in (("known", known), ("sealed", sealed)):
        _write(beside / name, data, rows)
    folds = list(_folds(plan, splits, known))
    save_splits(beside / "known" / "folds.json", folds, {"protocol": rule.identifier})
    save_splits(beside / "sealed" / "splits.json", splits, {"protocol": rule.identifier})
    about = {"name": data.name, "classes": data.classes, "checksum": data.checksum, "folds": len(folds)}
    about["findings"] = findings(data, splits)
    about["sources"] = sorted(sources)
    (beside / "about.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
    beside.rename(folder)


def about(folder: Path) -> dict[str, Any]:
    """Return the dataset's name, classes and checksum, the number of folds, what may leak, and its files."""
    content: dict[str, Any] = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    return content


def fold_count(plan: Plan) -> int:
    """Return how many folds judge a setting; this reads the dataset."""
    splits = list(protocol(plan.protocol).splits(dataset(plan.dataset)))
    known = np.unique(np.concatenate([np.concatenate([split.train, split.validation]) for split in splits]))
    return len(list(_folds(plan, splits, known)))


def findings(data: Dataset, splits: list[Split]) -> list[str]:
    """Return a line for each leak and each warning about the splits; near-duplicates are not searched."""
    prints, found = Fingerprints(data), dict[str, list[str]]()
    for split in splits:
        for finding in check(data, split, near=0, fingerprints=prints):
            if finding.severity != "note":
                found.setdefault(f"{finding.severity}: {finding.text}", []).append(split.name)
    return [f"{line} ({', '.join(names)})" if len(splits) > 1 else line for line, names in found.items()]


def known(folder: Path) -> Known:
    """Return the known part."""
    columns, _ = _read(folder / "known")
    return Known(_dataset(folder, columns), load_splits(folder / "known" / "folds.json")[0])


def whole(folder: Path) -> tuple[Dataset, list[Split]]:
    """Return the dataset with its rows in their order again, and its splits: this opens the test set."""
    parts = [_read(folder / name) for name in ("known", "sealed")]
    rows = np.concatenate([rows for _, rows in parts])
    back = np.argsort(rows)
    columns = {name: np.concatenate([part[name] for part, _ in parts])[back] for name in parts[0][0]}
    return _dataset(folder, columns), load_splits(folder / "sealed" / "splits.json")[0]


def shown(folder: Path, modality: str, rows: np.ndarray) -> list[Any] | None:
    """Return what some rows of a modality look like, as images or texts; None if the dataset did not say."""
    found: dict[int, Any] = {}
    for part in (folder / "known", folder / "sealed"):
        path = part / f"{SHOWN}{modality}.npy"
        if not path.exists():
            return None
        values = np.load(path, mmap_mode="r", allow_pickle=False)
        _, here, _ = np.intersect1d(np.load(part / "rows.npy"), rows, return_indices=True)
        found |= zip(np.load(part / "rows.npy")[here].tolist(), values[here], strict=True)
    return [found[row] for row in rows.tolist()]


def searched(rule: Protocol, data: Dataset, split: Split, supervision: str) -> Any:
    """Return what a method learns from about a split's training items: labels, or the protocol's rule of relevance.

    A rule of its own, like levels of distance, counts for methods that learn from relevance; labels are enough where
    it is the labels that decide, and for methods that know nothing else.
    """
    own = type(rule).relevance is not Protocol.relevance
    if data.labels is not None and (supervision != "relevance" or not own):
        return data.labels[split.train]
    return rule.relevance(data, replace(split, query=split.train, database=split.train))


def _check_sealed(plan: Plan, splits: list[Split], known: np.ndarray) -> None:
    for split in splits:
        met = np.intersect1d(split.query, known)
        if len(met):
            raise ValueError(
                f"{plan.protocol} cannot be tuned on: {len(met):,} queries of {split.name!r} are training items of "
                "another split"
            )


def _folds(plan: Plan, splits: list[Split], known: np.ndarray) -> Iterator[Split]:
    """Yield the folds that judge a setting, as splits of the known rows; splits with one training part share theirs."""
    seen: set[bytes] = set()
    for split in splits:
        if split.train.tobytes() in seen:
            continue
        seen.add(split.train.tobytes())
        train, validation = (np.searchsorted(known, rows) for rows in (split.train, split.validation))
        if len(validation):
            parts = (validation, validation, train, validation)
            yield Split(split.name, len(known), *parts, seed=plan.seed, classes=split.classes)
            continue
        places = train[order(len(train), plan.seed)]
        stretches = np.array_split(places, plan.tuning.folds if plan.tuning.folds > 1 else HELD_OUT)
        for number, held in enumerate(stretches[: plan.tuning.folds]):
            rest, name = np.setdiff1d(train, held), f"{split.name}, part {number}"
            yield Split(name, len(known), held, rest, rest, seed=plan.seed, classes=split.classes)


def _write(folder: Path, data: Dataset, rows: np.ndarray) -> None:
    folder.mkdir(parents=True)
    np.save(folder / "rows.npy", rows)
    for name, values in data.modalities.items():
        if not isinstance(values, np.ndarray) or values.dtype.kind not in "fu":
            raise ValueError(f"{data.name}: {name} must be features or images as an array; run evenrank data features")
        np.save(folder / f"modality {name}.npy", values[rows])
    for name in COLUMNS:
        values = getattr(data, name)
        if values is not None:
            np.save(folder / f"column {name}.npy", values[rows])
    for name, values in data.extras.items():
        if name.startswith(SHOWN):
            np.save(folder / f"{name}.npy", values[rows])


def _read(folder: Path) -> tuple[dict[str, np.ndarray], np.ndarray]:
    files = sorted(folder.glob("* *.npy"))
    return {path.stem: np.load(path, mmap_mode="r", allow_pickle=False) for path in files}, np.load(folder / "rows.npy")


def _dataset(folder: Path, columns: dict[str, np.ndarray]) -> Dataset:
    found = about(folder)
    modalities = {name.removeprefix("modality "): v for name, v in columns.items() if name.startswith("modality ")}
    labels, superclasses, train = (columns.get(f"column {name}") for name in COLUMNS)
    return Dataset(found["name"], modalities, labels, tuple(found["classes"]), superclasses, train)
