"""The Wikipedia pairs of Rasiwasia et al.: a section of a featured article, its image, and one of ten categories.

The articles look like XML but are not: they hold names of HTML characters (&ndash;) that no XML parser knows. So they
are not parsed at all: what stands between <text> and </text> is taken as it is, and such names are resolved.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Annotated

import numpy as np

from evenrank.arrays import load_array
from evenrank.dataset import Dataset, Loader
from evenrank.formats.images import ImageFiles, inside
from evenrank.formats.lists import read_columns, read_lines
from evenrank.parameters import Choice


@dataclass(frozen=True)
class Wikipedia(Loader):
    """2,866 pairs of an image and an article section, in ten categories.

    `image` is a histogram of 128 visual words or the image files, `text` ten topic shares or the articles themselves.
    """

    title = "Wikipedia"
    media = "image/article"
    items = 2866
    categories = 10
    needs = (
        (
            "wikipedia_dataset/raw_features.mat",
            "wikipedia_dataset/trainset_txt_img_cat.list",
            "wikipedia_dataset/testset_txt_img_cat.list",
            "wikipedia_dataset/categories.list",
        ),
    )
    source = "http://www.svcl.ucsd.edu/projects/crossmodal/"
    licence = "articles CC BY-SA and GFDL as on Wikipedia; none stated for the features"
    citation = (
        "Rasiwasia, Costa Pereira, Coviello, Doyle, Lanckriet, Levy, Vasconcelos:"
        " A New Approach to Cross-Modal Multimedia Retrieval. ACM Multimedia, 2010"
    )

    image: Annotated[str, Choice("visual_words", "files")] = "visual_words"
    text: Annotated[str, Choice("topics", "articles")] = "topics"

    def read(self, root: Path) -> Dataset:
        """Return the pairs in the order of the list files, the training part first."""
        folder = root / "wikipedia_dataset"
        classes = tuple(read_lines(folder / "categories.list"))
        train, test = (_pairs(folder / f"{part}set_txt_img_cat.list", len(classes)) for part in ("train", "test"))
        documents, images, labels = zip(*train, *test, strict=True)
        sizes = len(train), len(test)
        names = [f"{classes[label]}/{image}.jpg" for image, label in zip(images, labels, strict=True)]
        media = {
            "image": _image_files(folder, names) if self.image == "files" else _features(folder, "I", sizes),
            "text": _articles(folder, documents) if self.text == "articles" else _features(folder, "T", sizes),
        }
        return Dataset("wikipedia", media, np.array(labels), classes, train=np.arange(sum(sizes)) < len(train))


def _pairs(path: Path, classes: int) -> list[tuple[str, str, int]]:
    """Return (document, image, class from 0) of each line of a list file."""
    labels = {str(label + 1): label for label in range(classes)}
    rows = read_columns(path, 3)
    for number, (_, _, category) in enumerate(rows, 1):
        if category not in labels:
            raise ValueError(f"{path}: line {number} must name a category from 1 to {classes}; got {category!r}")
    return [(document, image, labels[category]) for document, image, category in rows]


def _features(folder: Path, letter: str, sizes: tuple[int, int]) -> np.ndarray:
    path = folder / "raw_features.mat"
    parts = []
    for key, size in zip((f"{letter}_tr", f"{letter}_te"), sizes, strict=True):
        part = load_array(path, key)
        if part.ndim != 2 or len(part) != size:
            raise ValueError(f"{path}: {key} must have {size} rows, one a line of its list; got shape {part.shape}")
        parts.append(part.astype(np.float32))
    if parts[0].shape[1] != parts[1].shape[1]:
        raise ValueError(f"{path}: {letter}_tr has {parts[0].shape[1]} columns, but {letter}_te {parts[1].shape[1]}")
    return np.concatenate(parts)


def _image_files(folder: Path, names: list[str]) -> ImageFiles:
    if not (folder / "images").is_dir():
        raise ValueError(f"{folder / 'images'}: no such folder; image=files needs <category>/<image>.jpg there")
    return ImageFiles(folder / "images", names)


def _articles(folder: Path, documents: tuple[str, ...]) -> np.ndarray:
    if not (folder / "texts").is_dir():
        raise ValueError(f"{folder / 'texts'}: no such folder; text=articles needs <document>.xml there")
    articles = [_article(inside(folder / "texts", f"{document}.xml")) for document in documents]
    return np.array(articles, dtype=np.dtypes.StringDType())


def _article(path: Path) -> str:
    content = "\n".join(read_lines(path))
    if "<!DOCTYPE" in content or "<!ENTITY" in content:
        raise ValueError(f"{path}: declares a document type or entities, which no article of this dataset does")
    _, opened, rest = content.partition("<text>")
    article, closed, _ = rest.rpartition("</text>")
    if not (opened and closed):
        raise ValueError(f"{path}: must hold an article between <text> and </text>")
    return unescape(article).strip()
