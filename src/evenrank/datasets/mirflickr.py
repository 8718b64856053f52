"""MIRFlickr-25K: Flickr images with their tags, annotated with 24 concepts.

For 14 of the concepts there is a second, stricter list (`_r1`: the concept is not only visible but what the image is
about). Work on cross-media retrieval counts the 24 concepts; some of image hashing counts all 38 lists as labels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from evenrank.dataset import Dataset, Loader, Media
from evenrank.formats.images import ImageFiles
from evenrank.formats.lists import read_lines
from evenrank.parameters import Choice


@dataclass(frozen=True)
class Mirflickr(Loader):
    """25,000 Flickr images with tags and 24 concepts.

    `labels` is 24, or 38 to count the stricter lists too; these repeat concepts (a pair that shares one shares two
    labels), so 24 is the default. Images without a label or a tag stay.
    """

    title = "MIRFlickr-25K"
    media = "image/tags"
    items = 25_000
    categories = 24
    needs = (("mirflickr/im1.jpg", "mirflickr/mirflickr25k_annotations_v080"),)
    source = "https://press.liacs.nl/mirflickr/"
    licence = "Creative Commons, image by image (meta/license)"
    citation = "Huiskes, Lew: The MIR Flickr Retrieval Evaluation. MIR 2008"
    downloads = (
        (
            "https://press.liacs.nl/mirflickr/mirflickr25k.v3b/mirflickr25k.zip",
            "md5:a23d0a8564ee84cda5622a6c2f947785",
            "",
        ),
        (
            "https://press.liacs.nl/mirflickr/mirflickr25k.v3b/mirflickr25k_annotations_v080.zip",
            "",
            "mirflickr/mirflickr25k_annotations_v080",
        ),
    )

    labels: Annotated[int, Choice(24, 38)] = 24

    def read(self, root: Path) -> Dataset:
        """Return the images ("image"), their tags where there ("text"), and labels (items, concepts) bool."""
        folder = root / "mirflickr"
        items = _count(folder)
        modalities: dict[str, Media] = {"image": ImageFiles(folder, [f"im{n}.jpg" for n in range(1, items + 1)])}
        if (folder / "meta/tags").is_dir():
            modalities["text"] = _tags(folder / "meta/tags", items)
        annotations = folder / "mirflickr25k_annotations_v080"
        classes = _concepts(annotations, self.labels)
        labels = np.zeros((items, len(classes)), bool)
        for column, concept in enumerate(classes):
            labels[_numbers(annotations / f"{concept}.txt", items) - 1, column] = True
        return Dataset("mirflickr", modalities, labels, classes)


def _count(folder: Path) -> int:
    """Return how many images there are; they are numbered from 1."""
    found = {int(match[1]) for path in folder.iterdir() if (match := re.fullmatch(r"im([1-9]\d*)\.jpg", path.name))}
    for number in range(1, len(found) + 1):
        if number not in found:
            raise ValueError(f"{folder}: im{number}.jpg is missing, and the images must be numbered without a gap")
    return len(found)


def _tags(folder: Path, items: int) -> np.ndarray:
    """Return each image's tags, separated by spaces; an image may have none."""
    texts = []
    for number in range(1, items + 1):
        path = folder / f"tags{number}.txt"
        if not path.is_file():
            raise ValueError(f"{path}: no such file")
        words = path.read_bytes().decode(errors="replace")  # free text: one strange byte should not cost the dataset
        texts.append(" ".join(words.split()))
    return np.array(texts, dtype=np.dtypes.StringDType())


def _concepts(folder: Path, count: int) -> tuple[str, ...]:
    """Return the names of the lists of images: 24 concepts by name, or these and the stricter lists after them."""
    names = sorted(path.stem for path in folder.glob("*.txt") if path.stem != "README")
    strict = [name for name in names if name.endswith("_r1")]
    plain = [name for name in names if name not in strict]
    found = plain if count == 24 else plain + strict
    if len(found) != count:
        raise ValueError(f"{folder}: must hold {count} lists, one a label; got {len(found)}")
    return tuple(found)


def _numbers(path: Path, items: int) -> np.ndarray:
    """Return the image numbers that a list names."""
    lines = read_lines(path)
    for number, line in enumerate(lines, 1):
        if not (line.isdecimal() and 1 <= int(line) <= items):
            raise ValueError(f"{path}: line {number} must be an image number from 1 to {items}; got {line!r}")
    return np.array([int(line) for line in lines])
