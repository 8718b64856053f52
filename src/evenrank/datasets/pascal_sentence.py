"""Pascal Sentence: photographs of twenty kinds of things, each described by about five people in a sentence.

Its publisher offers a web page. People keep it in two layouts: a text file for each image, or one list of all sentences
in the order of the page, which shows class after class and the images of a class by name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader, Media
from evenrank.formats.images import ImageFiles, inside
from evenrank.formats.lists import read_lines

TRAIN = 40  # of the fifty images of a class: the 80 % of paper 4
SUFFIXES = (".jpg", ".webp")


@dataclass(frozen=True)
class PascalSentence(Loader):
    """1,000 photographs of 20 classes, with about five sentences each."""

    title = "Pascal Sentence"
    media = "image/sentence"
    items = 1000
    categories = 20
    needs = (
        ("pascal-sentence/dataset", "pascal-sentence/sentence"),
        ("pascal-sentence/images", "pascal-sentence/classes.txt", "pascal-sentence/captions.json"),
    )
    source = "https://vision.cs.uiuc.edu/pascal-sentences/"
    licence = "sentences CC BY-SA; images from Flickr, under the terms of PASCAL VOC 2008"
    citation = (
        "Rashtchian, Young, Hodosh, Hockenmaier: Collecting Image Annotations Using Amazon's Mechanical Turk."
        " NAACL HLT Workshop on Creating Speech and Language Data with Amazon's Mechanical Turk, 2010"
    )

    def read(self, root: Path) -> Dataset:
        """Return the images, and the sentences of each as one text with a line a sentence; 40 of each class train."""
        folder = root / "pascal-sentence"
        beside = all((root / name).is_dir() for name in self.needs[0])  # each image has its own text file
        photographs = folder / ("dataset" if beside else "images")
        classes = _folders(photographs) if beside else read_lines(folder / "classes.txt")
        files = [_images(photographs, name) for name in classes]
        names = [name for group in files for name in group]
        texts = _beside(folder / "sentence", names) if beside else _listed(folder / "captions.json", len(names))
        media: dict[str, Media] = {
            "image": ImageFiles(photographs, names),
            "text": np.array(texts, dtype=np.dtypes.StringDType()),
        }
        labels = np.repeat(np.arange(len(files)), [len(group) for group in files])
        train = np.concatenate([np.arange(len(group)) < TRAIN for group in files])
        return Dataset("pascal_sentence", media, labels, tuple(classes), train=train)


def _folders(photographs: Path) -> list[str]:
    names = sorted(path.name for path in photographs.iterdir() if path.is_dir())
    if not names:
        raise ValueError(f"{photographs}: must have a folder for each class")
    return names


def _images(photographs: Path, name: str) -> list[str]:
    """Return the images of a class by name, from the folder of all photographs on."""
    folder = inside(photographs, name)
    files = sorted(path.name for path in folder.iterdir() if path.suffix.lower() in SUFFIXES) if folder.is_dir() else []
    if not files:
        raise ValueError(f"{folder}: must be a folder of images ({', '.join(SUFFIXES)})")
    return [f"{name}/{file}" for file in files]


def _beside(folder: Path, names: list[str]) -> list[str]:
    """Return the text of each image from the file of its name."""
    return ["\n".join(read_lines(inside(folder, f"{name.rsplit('.', 1)[0]}.txt"))) for name in names]


def _listed(path: Path, count: int) -> list[str]:
    """Return the text of each image from one list of lists of sentences."""
    try:
        captions = json.loads("\n".join(read_lines(path)))
        texts = ["\n".join(sentences) for sentences in captions if isinstance(sentences, list) and sentences]
        "".join(texts).encode()  # half of a surrogate pair is JSON but not text
    except (TypeError, UnicodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: must be a list of lists of sentences: {error}") from None
    if len(texts) != count:
        raise ValueError(f"{path}: must list the sentences of {count} images; got those of {len(texts)}")
    return texts
