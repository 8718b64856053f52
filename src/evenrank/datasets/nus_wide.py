"""NUS-WIDE: Flickr images, their tags, and which of 81 concepts each shows.

The files have one line an image, all in the order of `ImageList/Imagelist.txt`. The literature keeps the images that
show at least one of the most frequent concepts: 195,834 for 21 concepts (paper 1), 186,577 for ten. Paper 4 reports
67,994 images of ten concepts without saying which; no rule of this file claims to give them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from evenrank.dataset import Dataset, Loader, Media
from evenrank.formats.images import ImageFiles, inside
from evenrank.formats.lists import read_lines
from evenrank.parameters import Choice


@dataclass(frozen=True)
class NusWide(Loader):
    """269,648 Flickr images with tags and 81 concepts, of which the most frequent are kept.

    `labels` is how many concepts are kept: those of the most images, of equals the first in the list of concepts. Only
    images that show one of them are items; items without any of the 1,000 tags stay, with an empty row of tags.
    """

    title = "NUS-WIDE"
    media = "image/tags"
    items = 195_834
    categories = 21
    needs = (
        (
            "nus-wide/ConceptsList/Concepts81.txt",
            "nus-wide/Groundtruth/AllLabels",
            "nus-wide/ImageList/Imagelist.txt",
        ),
        ("nus-wide/Concepts81.txt", "nus-wide/Groundtruth/AllLabels", "nus-wide/ImageList/Imagelist.txt"),
    )
    source = "https://lms.comp.nus.edu.sg/wp-content/uploads/2019/research/nuswide/NUS-WIDE.html"
    licence = "labels and tags: none stated; images: by agreement with the National University of Singapore"
    citation = "Chua, Tang, Hong, Li, Luo, Zheng: NUS-WIDE: A Real-World Web Image Database. CIVR 2009"

    labels: Annotated[int, Choice(10, 21, 81)] = 21

    def read(self, root: Path) -> Dataset:
        """Return the images ("image") and 0/1 tags ("text"), whichever is there, and labels (items, concepts) bool."""
        folder = root / "nus-wide"
        names = _image_names(folder / "ImageList/Imagelist.txt")
        concepts = _concepts(folder, self.labels)
        shown = _shown(folder / "Groundtruth/AllLabels", concepts, len(names))
        frequent = np.sort(np.argsort(-shown.sum(axis=0), kind="stable")[: self.labels])
        kept = shown[:, frequent].sum(axis=1) > 0
        if not kept.any():
            raise ValueError(f"{folder}: no image shows any of the {self.labels} most frequent concepts")
        train = _listed(folder / "ImageList/TrainImagelist.txt", names)
        return Dataset(
            "nus_wide",
            _modalities(folder, names, kept),
            shown[kept][:, frequent],
            tuple(concepts[label] for label in frequent),
            train=None if train is None else train[kept],
        )


def _image_names(path: Path) -> list[str]:
    return [name.replace("\\", "/") for name in read_lines(path)]  # written on Windows: actor\0001_2124494179.jpg


def _concepts(folder: Path, least: int) -> list[str]:
    path = folder / "ConceptsList/Concepts81.txt"
    path = path if path.exists() else folder / "Concepts81.txt"
    concepts = read_lines(path)
    if len(concepts) < least:
        raise ValueError(f"{path}: must name at least {least} concepts; got {len(concepts)}")
    return concepts


def _shown(folder: Path, concepts: list[str], items: int) -> np.ndarray:
    """Return which image shows which concept, (items, concepts) bool."""
    shown = np.empty((items, len(concepts)), bool)
    for column, concept in enumerate(concepts):
        path = inside(folder, f"Labels_{concept}.txt")
        if not path.is_file():
            raise ValueError(f"{path}: no such file")
        flags = path.read_bytes().split()  # bytes, because there are 81 × 269,648 of them
        if len(flags) != items:
            raise ValueError(f"{path}: must have {items} lines, one an image; got {len(flags)}")
        strange = set(flags) - {b"0", b"1"}
        if strange:
            raise ValueError(f"{path}: must have 0 or 1 a line; got {min(strange)[:40]!r}")
        shown[:, column] = np.frombuffer(b"".join(flags), np.uint8) == ord("1")
    return shown


def _listed(path: Path, names: list[str]) -> np.ndarray | None:
    """Return which images a list names, or None if there is no such list."""
    if not path.exists():
        return None
    listed = set(_image_names(path))
    strange = listed.difference(names)
    if strange:
        raise ValueError(f"{path}: names {len(strange)} images that Imagelist.txt does not, such as {min(strange)!r}")
    return np.array([name in listed for name in names])


def _modalities(folder: Path, names: list[str], kept: np.ndarray) -> dict[str, Media]:
    modalities: dict[str, Media] = {}
    images = folder / ("Flickr" if (folder / "Flickr").is_dir() else "images")
    if images.is_dir():
        modalities["image"] = ImageFiles(images, [names[row] for row in np.flatnonzero(kept)])
    tags = folder / "NUS_WID_Tags/AllTags1k.txt"
    if tags.exists():
        modalities["text"] = _tags(tags, kept)
    if not modalities:
        raise ValueError(f"{folder}: must hold images/ or Flickr/, or the tags NUS_WID_Tags/AllTags1k.txt, or both")
    return modalities


def _tags(path: Path, kept: np.ndarray) -> np.ndarray:
    """Return the 0/1 tags of the kept images as uint8; a line is read at a time, so memory is that of the result."""
    with path.open("rb") as stream:
        count = len(_flags(stream.readline()))
        if not 0 < count * len(kept) <= path.stat().st_size:
            raise ValueError(f"{path}: is too short for {count} tags of each of {len(kept)} images")
        stream.seek(0)
        tags = np.empty((np.count_nonzero(kept), count), np.uint8)
        rows = np.cumsum(kept) - 1
        number = 0
        for number, line in enumerate(stream, 1):
            flags = _flags(line)
            if len(flags) != count or flags.strip(b"01"):
                raise ValueError(f"{path}: line {number} must hold {count} times 0 or 1; got {line[:40]!r}")
            if number <= len(kept) and kept[number - 1]:
                tags[rows[number - 1]] = np.frombuffer(flags, np.uint8)
    if number != len(kept):
        raise ValueError(f"{path}: must have {len(kept)} lines, one an image; got {number}")
    tags -= ord("0")
    return tags


def _flags(line: bytes) -> bytes:
    return line.translate(None, b" \t\r\n")
