"""What a dataset is, and how one is found.

A `Dataset` is items in one or more modalities, their labels, and the rule that says which belong together. A file of
`datasets/` holds one `Loader`, which reads the publisher's own layout below a data root:

    er.dataset("cifar10")                             # below EVENRANK_DATA, or the user's cache directory
    er.dataset("nus_wide(labels=10)", root="/data")   # keywords as in a call
    er.dataset("features/bundle.npz")                 # your own: a bundle, a manifest, a folder of images
"""

from __future__ import annotations

import hashlib
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from evenrank.catalog import find, make
from evenrank.formats.images import ImageFiles
from evenrank.parameters import validate
from evenrank.relevance import Relevance, SameLabel, SharedLabels

SHOWN = "shown_"  # before the name of a modality of features: an extra that says what its items look like

Media = np.ndarray | ImageFiles  # features (n, d) float, images (n, height, width[, 3]) uint8, texts (n,) StringDType


@dataclass(frozen=True, eq=False)
class Dataset:
    """Items, row by row: what they look like in each modality, and what they are labelled.

    `labels` are class numbers (items,) or a matrix (items, classes) of bool; `train` marks the official training part
    where there is one; `superclasses` are coarser class numbers; `judgements` replace labels where relevance was judged
    pair by pair (items × items); `extras` are further arrays that a bundle holds: `shown_image` and `shown_text` are
    what reports show of features, small pictures (items, height, width[, 3]) uint8 or the beginnings of texts (items,).
    """

    name: str
    modalities: Mapping[str, Media]
    labels: np.ndarray | None = None
    classes: tuple[str, ...] = ()
    superclasses: np.ndarray | None = None
    train: np.ndarray | None = None
    judgements: Relevance | None = None
    extras: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.modalities:
            raise ValueError(f"{self.name}: a dataset must have at least one modality")
        columns = {"labels": self.labels, "superclasses": self.superclasses, "train": self.train}
        present = {name: column for name, column in columns.items() if column is not None}
        for name, column in {**self.modalities, **present}.items():
            if len(column) != len(self):
                raise ValueError(f"{self.name}: {name} must have {len(self)} rows, one an item; got {len(column)}")
        if len(self) == 0:
            raise ValueError(f"{self.name}: holds no items")

    def __len__(self) -> int:
        return len(next(iter(self.modalities.values())))

    @property
    def multilabel(self) -> bool:
        """Return whether an item can have several labels."""
        return self.labels is not None and self.labels.ndim == 2

    @cached_property
    def relevance(self) -> Relevance:
        """The rule between all items: `relevance.take(split.query, split.database)` is a split's."""
        if self.judgements is not None:
            return self.judgements
        if self.labels is None:
            raise ValueError(f"{self.name} has no labels: its protocol must say what is relevant")
        return (SharedLabels if self.multilabel else SameLabel)(self.labels, self.labels)

    @cached_property
    def memberships(self) -> np.ndarray:
        """Which item has which class, (items, classes) bool."""
        if self.labels is None:
            raise ValueError(f"{self.name} has no labels")
        if self.multilabel:
            return self.labels
        count = max(len(self.classes), int(self.labels.max()) + 1)
        return self.labels[:, None] == np.arange(count)

    @cached_property
    def checksum(self) -> str:
        """SHA-256 of the content, whatever the files it came from: names, shapes, types, values."""
        digest = hashlib.sha256()
        columns = {"labels": self.labels, "superclasses": self.superclasses, "train": self.train}
        if self.judgements is not None:
            columns |= dict(zip(("query", "item", "level"), self.judgements.relevant().pairs(), strict=True))
        for name, values in {**self.modalities, **columns}.items():
            if values is not None:
                digest.update(f"{name} {len(values)}".encode())
                _add(digest, values)
        return digest.hexdigest()

    def __repr__(self) -> str:
        media = ", ".join(f"{name} {_shape(values)}" for name, values in self.modalities.items())
        return f"Dataset({self.name}: {len(self):,} items, {media}, {len(self.classes)} classes)"


def _add(digest: hashlib._Hash, values: Media) -> None:
    if isinstance(values, ImageFiles):
        for row in range(len(values)):
            digest.update(hashlib.sha256(values.path(row).read_bytes()).digest())
    elif isinstance(values.dtype, np.dtypes.StringDType):
        for text in values.tolist():
            digest.update(hashlib.sha256(text.encode()).digest())
    else:
        digest.update(f"{values.dtype.str} {values.shape}".encode())
        digest.update(np.ascontiguousarray(values).data)


def _shape(values: Media) -> str:
    if isinstance(values, ImageFiles):
        return "files"
    return "texts" if values.ndim == 1 else " × ".join(map(str, values.shape[1:]))


@dataclass(frozen=True)
class Loader(ABC):
    """The contract of `datasets/`: class constants say what a dataset is and where it comes from, fields are options.

    `needs` lists alternatives, each a tuple of paths below the data root; one alternative that is there whole is
    enough. `downloads` are (address, checksum "md5:…" or "sha256:…" or "", folder below the data root).
    """

    title: ClassVar[str]
    media: ClassVar[str]  # "image", "image/article", … as in paper 4's Table I
    items: ClassVar[int | None] = None  # what the publisher says; None: depends on the files
    categories: ClassVar[int | None] = None
    needs: ClassVar[tuple[tuple[str, ...], ...]] = ((),)
    source: ClassVar[str] = ""
    licence: ClassVar[str] = ""
    citation: ClassVar[str] = ""
    downloads: ClassVar[tuple[tuple[str, str, str], ...]] = ()

    def __post_init__(self) -> None:
        validate(self)

    def load(self, root: Path) -> Dataset:
        """Return the dataset; raises ValueError that says what to put where if its files are not below `root`."""
        if not self.present(root):
            raise ValueError(self.absent(root))
        return self.read(root)

    @classmethod
    def present(cls, root: Path) -> bool:
        """Return whether all files of one layout are below `root`."""
        return any(all((root / name).exists() for name in names) for names in cls.needs)

    def files(self, root: Path) -> list[Path]:
        """Return the paths of the first layout that is whole."""
        whole = next(names for names in self.needs if all((root / name).exists() for name in names))
        return [root / name for name in whole]

    @abstractmethod
    def read(self, root: Path) -> Dataset:
        """Return the dataset; its files are there, what is in them is checked here."""

    def absent(self, root: Path) -> str:
        """Return one line: which files are missing, and how to get them."""
        nearly = min(self.needs, key=lambda names: sum(not (root / name).exists() for name in names))
        missing = [name for name in nearly if not (root / name).exists()]
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        others = len(self.needs) - 1
        alternatives = " (or one of its other layouts: evenrank data list)" if others else ""
        how = f", from {self.source}" if self.source else ""
        fetch = f", or run: evenrank data fetch {_identifier(self)}" if self.downloads else ""
        return f"{self.title} is not in {root}: put {', '.join(missing[:3])}{more} there{alternatives}{how}{fetch}"


def _identifier(loader: Loader) -> str:
    return type(loader).__module__.rsplit(".", 1)[-1]


def data_root(given: str | Path | None = None) -> Path:
    """Return where datasets lie: what is given, else EVENRANK_DATA, else the user's cache directory."""
    if given or os.environ.get("EVENRANK_DATA"):
        return Path(given or os.environ["EVENRANK_DATA"]).expanduser()
    if sys.platform == "win32":
        cache = Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local"))
    elif sys.platform == "darwin":
        cache = Path("~/Library/Caches")
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache")
    return cache.expanduser() / "evenrank"


def located(path: str | Path, root: Path) -> Path:
    """Return where one's own data are: at `path`, or else at `path` below the data root."""
    given = Path(str(path)).expanduser()
    for place in (given, root / given):
        if place.exists():
            return place
    raise ValueError(f"{path}: no such file or folder, nor is it below {root}")


def loader(name: str) -> Loader:
    """Return the loader that `name` stands for: one of the catalog, or a path to your own data."""
    path = Path(name)
    suffixes = {".npz": "bundle", ".csv": "manifest", ".parquet": "manifest", ".jsonl": "manifest"}
    holds = {"bundle.npz": "bundle", "corpus.jsonl": "beir"}
    if path.suffix.lower() in suffixes:
        return find("datasets", suffixes[path.suffix.lower()]).load()(path=name)
    if path.is_dir() and ("/" in name or os.sep in name):
        kinds = [kind for file, kind in holds.items() if (path / file).exists()]
        return find("datasets", [*kinds, "image_folder"][0]).load()(path=name)
    made: Loader = make("datasets", name)
    return made


def dataset(name: str | Loader, root: str | Path | None = None) -> Dataset:
    """Return a dataset by name ("cifar10", "synthetic(items=500)"), by path, or by loader."""
    chosen = name if isinstance(name, Loader) else loader(name)
    sys.audit("evenrank.dataset", repr(chosen))  # refused where a test set is sealed
    return chosen.load(data_root(root))
