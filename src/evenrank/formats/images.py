"""Images that stay in their files until they are looked at."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import overload

import numpy as np

PIXELS = 100_000_000  # what an image may declare; more is refused before memory is set aside for it


def inside(folder: Path, name: str) -> Path:
    """Return the path of `name` below `folder`; what is absolute, climbs out or is a link that leads out is refused.

    >>> inside(Path("photos"), "../secret.jpg")
    Traceback (most recent call last):
    ValueError: photos: names a file outside of itself: '../secret.jpg'
    """
    parts = PurePosixPath(name.replace("\\", "/")).parts
    path = folder / name
    outside = not parts or parts[0] == "/" or ".." in parts or ":" in parts[0] or "\0" in name
    if outside or not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise ValueError(f"{folder}: names a file outside of itself: {name!r}")
    return path


def read_image(path: Path, mode: str = "RGB") -> np.ndarray:
    """Return an image as (height, width, 3) uint8, or (height, width) for mode "L"."""
    try:
        from PIL import Image
    except ImportError:
        raise ValueError(f"{path}: images need Pillow: pip install 'evenrank[files]'") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of harmless oddities; the size is checked here
            with Image.open(path) as image:
                if image.width * image.height > PIXELS:
                    raise ValueError(f"declares {image.width} × {image.height} pixels, more than {PIXELS:,}")
                return np.asarray(image.convert(mode))
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file") from None
    except Exception as error:  # decoders fail in many ways on a damaged file
        raise ValueError(f"{path}: cannot be read as an image: {' '.join(str(error).split())}") from None


class ImageFiles(Sequence[np.ndarray]):
    """Images by name below a folder: `files[3]` is decoded, `files[rows]` is a selection.

    Names are checked when a file is opened: none can lead out of the folder.
    """

    def __init__(self, folder: Path, names: Sequence[str] | np.ndarray, mode: str = "RGB") -> None:
        self.folder, self.mode = Path(folder), mode
        self.names = np.asarray(names, dtype=np.dtypes.StringDType())

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, row: int) -> np.ndarray: ...
    @overload
    def __getitem__(self, row: slice | np.ndarray) -> ImageFiles: ...
    def __getitem__(self, row: int | slice | np.ndarray) -> np.ndarray | ImageFiles:
        if isinstance(row, (int, np.integer)):
            return read_image(self.path(row), self.mode)
        return ImageFiles(self.folder, self.names[row], self.mode)

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[row] for row in range(len(self)))

    def path(self, row: int) -> Path:
        """Return the path of one image."""
        return inside(self.folder, str(self.names[row]))

    def __repr__(self) -> str:
        return f"ImageFiles({len(self):,} in {self.folder})"
