"""A split: which rows train, validate, query and are searched, and what it promises about them.

Rows ascend, so a split is four subsets of the dataset's rows; order is the dataset's own. It is saved as JSON, a few
kilobytes with the row masks compressed, and its hash says whether two of them are the same.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.formats.whole import whole

PARTS = ("train", "validation", "query", "database")
FORMAT = "evenrank splits 1"
ITEMS = 1 << 31  # more than any file of splits may declare

Pairs = tuple[tuple[str, str], ...]


def _none() -> np.ndarray:
    return np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of a dataset of `items` rows, for each part ascending and without repetition.

    `shares` names pairs of parts that have items in common on purpose (the training items are searched too);
    `unseen` names pairs of parts whose classes must not overlap. `classes` are those that training may know, if the
    protocol divides them. Whatever else shares an item or a class is a leak: `evenrank data check` looks for them.
    """

    name: str
    items: int
    query: np.ndarray
    database: np.ndarray
    train: np.ndarray = field(default_factory=_none)
    validation: np.ndarray = field(default_factory=_none)
    seed: int = 0
    shares: Pairs = ()
    unseen: Pairs = ()
    classes: tuple[int, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        for part in PARTS:
            given = np.asarray(getattr(self, part))
            if given.dtype == bool and len(given) != self.items:
                raise ValueError(f"{part} of split {self.name!r} must mark {self.items} rows; got {len(given)}")
            rows = np.flatnonzero(given) if given.dtype == bool else np.unique(given.astype(np.int64))
            if len(rows) and not 0 <= rows[0] <= rows[-1] < self.items:
                raise ValueError(f"{part} of split {self.name!r} must be of 0 … {self.items - 1}; got {rows[[0, -1]]}")
            object.__setattr__(self, part, rows)

    @property
    def own(self) -> np.ndarray:
        """Each query's own place in the database, -1 if it is not there: what `evaluate` takes as `exclude_self`."""
        place = np.searchsorted(self.database, self.query)
        found = np.append(self.database, -1)[place] == self.query
        return np.where(found, place, -1)

    @property
    def hash(self) -> str:
        """SHA-256 of the rows: two splits with one hash are the same on every machine."""
        digest = hashlib.sha256(str(self.items).encode())
        for part in PARTS:
            digest.update(part.encode() + getattr(self, part).astype("<i8").tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        sizes = ", ".join(f"{len(getattr(self, part)):,} {part}" for part in PARTS if len(getattr(self, part)))
        return f"Split({self.name}: {sizes})"


def save_splits(path: str | Path, splits: Sequence[Split], about: dict[str, Any]) -> None:
    """Write splits and what they are about (protocol, dataset) to a JSON file; it appears whole or not at all."""
    content = {"format": FORMAT, **about, "splits": [_written(split) for split in splits]}
    with whole(path) as beside:
        beside.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def load_splits(path: str | Path) -> tuple[list[Split], dict[str, Any]]:
    """Return the splits of a file and what they are about; each is compared with its stored hash."""
    try:
        about = json.loads(Path(path).read_text(encoding="utf-8"))
        if about.pop("format") != FORMAT:
            raise ValueError(f"the format must be {FORMAT!r}")
        return [_rebuilt(entry) for entry in about.pop("splits")], about
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file") from None
    except KeyError as error:
        raise ValueError(f"{path}: is not a file of splits: {error} is missing") from None
    except (AttributeError, OSError, RecursionError, TypeError, ValueError, zlib.error) as error:
        raise ValueError(f"{path}: is not a file of splits: {error}") from None


def _written(split: Split) -> dict[str, Any]:
    masks = {}
    for part in PARTS:
        mask = np.zeros(split.items, bool)
        mask[getattr(split, part)] = True
        masks[part] = base64.b64encode(zlib.compress(np.packbits(mask).tobytes(), 9)).decode()
    about = {key: getattr(split, key) for key in ("name", "items", "seed", "shares", "unseen", "classes", "note")}
    return {**about, "hash": split.hash, "rows": masks}


def _rebuilt(entry: dict[str, Any]) -> Split:
    items, size = entry["items"], (entry["items"] + 7) // 8
    if not 0 < items < ITEMS:
        raise ValueError(f"items of {entry['name']!r} must be from 1 to {ITEMS}; got {items}")
    fields: dict[str, Any] = {}
    for part in PARTS:
        raw = zlib.decompressobj().decompress(base64.b64decode(entry["rows"][part], validate=True), size)
        if len(raw) != size:
            raise ValueError(f"rows of {entry['name']!r} must be {size} bytes; got {len(raw)}")
        fields[part] = np.unpackbits(np.frombuffer(raw, np.uint8))[:items].view(bool)
    for key in ("shares", "unseen"):
        fields[key] = tuple(tuple(pair) for pair in entry[key])
    about = {key: entry[key] for key in ("name", "items", "seed", "note")}
    split = Split(**about, **fields, classes=tuple(entry["classes"]))
    if split.hash != entry["hash"]:
        raise ValueError(f"the rows of {entry['name']!r} do not have the stored hash")
    return split
