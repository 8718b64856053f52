"""Caltech-UCSD Birds: photographs of 200 species, of which metric learning trains on one half and tests the other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader
from evenrank.formats.images import ImageFiles
from evenrank.formats.lists import read_columns


@dataclass(frozen=True)
class Cub200(Loader):
    """11,788 photographs of 200 bird species; `train` is the official split for classification."""

    title = "CUB-200-2011"
    media = "image"
    items = 11788
    categories = 200
    needs = (
        (
            "CUB_200_2011/images.txt",
            "CUB_200_2011/image_class_labels.txt",
            "CUB_200_2011/train_test_split.txt",
            "CUB_200_2011/classes.txt",
            "CUB_200_2011/images",
        ),
    )
    source = "https://data.caltech.edu/records/65de6-vp158"
    licence = "none in the archive; images from Flickr, under their photographers' terms"
    citation = (
        "Wah, Branson, Welinder, Perona, Belongie: The Caltech-UCSD Birds-200-2011 Dataset."
        " California Institute of Technology, CNS-TR-2011-001, 2011"
    )
    downloads = (
        (
            "https://data.caltech.edu/records/65de6-vp158/files/CUB_200_2011.tgz",
            "md5:97eceeb196236b17998738112f37df78",
            "",
        ),
    )

    def read(self, root: Path) -> Dataset:
        """Return the images in the order of images.txt, the species in the order of classes.txt."""
        folder = root / "CUB_200_2011"
        names, classes = _numbered(folder / "images.txt"), _numbered(folder / "classes.txt")
        places = {number: place for place, number in enumerate(classes)}
        labels = _looked_up(folder / "image_class_labels.txt", names, places)
        train = _looked_up(folder / "train_test_split.txt", names, {"0": 0, "1": 1}).astype(bool)
        images = ImageFiles(folder / "images", list(names.values()))
        return Dataset("cub200", {"image": images}, labels, tuple(classes.values()), train=train)


def _numbered(path: Path) -> dict[str, str]:
    """Return what a file says of each number, line by line."""
    found: dict[str, str] = {}
    for line, (number, value) in enumerate(read_columns(path, 2), 1):
        if number in found:
            raise ValueError(f"{path}: line {line} repeats number {number}")
        found[number] = value
    return found


def _looked_up(path: Path, names: dict[str, str], meanings: dict[str, int]) -> np.ndarray:
    """Return what a file says of each image, in the order of images.txt."""
    said = _numbered(path)
    for number in (*names, *said):
        if number not in said:
            raise ValueError(f"{path}: does not say anything of image {number} of images.txt")
        if number not in names:
            raise ValueError(f"{path}: speaks of image {number}, which is not in images.txt")
        if said[number] not in meanings:
            known = list(meanings)
            raise ValueError(f"{path}: image {number} must have {known[0]} … {known[-1]}; got {said[number]!r}")
    return np.array([meanings[said[number]] for number in names])
