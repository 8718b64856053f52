"""Omniglot: characters of fifty alphabets, each drawn by twenty people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evenrank.dataset import Dataset, Loader
from evenrank.formats.images import ImageFiles

PARTS = ("images_background", "images_evaluation")


@dataclass(frozen=True)
class Omniglot(Loader):
    """32,460 drawings, 105 × 105 pixels, of 1,623 characters in 50 alphabets."""

    title = "Omniglot"
    media = "image"
    items = 32_460
    categories = 1623
    needs = (
        ("omniglot/images_background", "omniglot/images_evaluation"),
        ("omniglot/python/images_background", "omniglot/python/images_evaluation"),
        ("omniglot-py/images_background", "omniglot-py/images_evaluation"),
    )
    source = "https://github.com/brendenlake/omniglot"
    licence = "MIT"
    citation = (
        "Lake, Salakhutdinov, Tenenbaum: Human-Level Concept Learning through Probabilistic Program Induction. "
        "Science, 2015"
    )
    downloads = (
        (
            "https://raw.githubusercontent.com/brendenlake/omniglot/master/python/images_background.zip",
            "md5:68d2efa1b9178cc56df9314c21c6e718",
            "omniglot",
        ),
        (
            "https://raw.githubusercontent.com/brendenlake/omniglot/master/python/images_evaluation.zip",
            "md5:6b91aef0f799c5bb55b94e3f2daec811",
            "omniglot",
        ),
    )

    def read(self, root: Path) -> Dataset:
        """Return the drawings as files; labels are characters, superclasses alphabets, the background set trains."""
        folder = self.files(root)[0].parent
        names = [name for part in PARTS for name in _drawings(folder, part)]
        characters, labels = np.unique([name.rsplit("/", 1)[0] for name in names], return_inverse=True)
        alphabets = np.unique([name.rsplit("/", 2)[0] for name in names], return_inverse=True)[1]
        return Dataset(
            "omniglot",
            {"image": ImageFiles(folder, names, mode="L")},
            labels,
            tuple(character.split("/", 1)[1] for character in characters.tolist()),
            superclasses=alphabets,
            train=np.array([name.startswith(PARTS[0]) for name in names]),
        )


def _drawings(folder: Path, part: str) -> list[str]:
    """Return part/alphabet/character/name.png for every drawing, in order; hidden files are not drawings."""
    paths = [path for path in (folder / part).glob("*/*/*.png") if not path.name.startswith(".")]
    if not paths:
        raise ValueError(f"{folder / part}: must hold drawings as alphabet/character/name.png; got none")
    return sorted(path.relative_to(folder).as_posix() for path in paths)
