"""Images you already have: a folder with one folder a class, and perhaps a training and a test part above.

photos/<class>/<image>                                         or
photos/train/<class>/<image>, photos/test/<class>/<image>
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader, located
from evenrank.formats.images import ImageFiles, inside

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")
PARTS = ["test", "train"]


@dataclass(frozen=True, kw_only=True)
class ImageFolder(Loader):
    """Your own images: one folder a class, or train/<class> and test/<class>; hidden and other files are ignored."""

    title = "Image folder"
    media = "image"
    source = "your own"

    path: str

    def read(self, root: Path) -> Dataset:
        """Return the images by class, within a class by name; the training part first where there is one."""
        folder = located(self.path, root)
        if not folder.is_dir():
            raise ValueError(f"{folder}: must be a folder with one folder of images a class; got a file")
        divided = _folders(folder) == PARTS and all(_folders(folder / part) for part in PARTS)
        parts = ["train/", "test/"] if divided else [""]
        places = [(part, name) for part in parts for name in _folders(inside(folder, part) if part else folder)]
        if not places:
            raise ValueError(f"{folder}: must hold one folder of images a class; got no folder")
        classes = sorted({name for _, name in places})
        images = [_images(folder, part + name) for part, name in places]
        counts = [len(names) for names in images]
        labels = np.repeat([classes.index(name) for _, name in places], counts)
        train = np.repeat([part == "train/" for part, _ in places], counts) if divided else None
        files = ImageFiles(folder, [name for names in images for name in names])
        return Dataset(folder.resolve().name, {"image": files}, labels, tuple(classes), train=train)


def _folders(folder: Path) -> list[str]:
    with os.scandir(folder) as found:
        return sorted(entry.name for entry in found if entry.is_dir() and not entry.name.startswith("."))


def _images(folder: Path, place: str) -> list[str]:
    """Return the images in one class's folder, sorted, as names below `folder`; links that lead out are refused."""
    with os.scandir(inside(folder, place)) as found:
        images = [entry for entry in found if _is_image(entry)]
    names = sorted(f"{place}/{entry.name}" for entry in images)
    if not names:
        raise ValueError(f"{folder / place}: must hold images ({' '.join(SUFFIXES)}); got none")
    for entry in images:
        if entry.is_symlink():
            inside(folder, f"{place}/{entry.name}")
    return names


def _is_image(entry: os.DirEntry[str]) -> bool:
    return not entry.name.startswith(".") and entry.name.lower().endswith(SUFFIXES) and entry.is_file()
