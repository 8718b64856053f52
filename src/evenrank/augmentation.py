"""Images as training sees them: cropped and mirrored at random, and as evaluation does: always the same.

What is drawn for an image depends on the seed, the epoch and its row alone, not on the batch it comes in nor on how
many threads decode.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.parameters import Integer, Real, validate

LOOK = 3  # what is drawn, beside the purposes of batches.py
ATTEMPTS = 10  # at a box that fits into the image, before the middle is taken

Channels = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Augmentation(ABC):
    """The contract: images of (height, width[, 3]) uint8 in, images of one size out.

    Values 0 … 255 become (value / 255 - mean) / deviation, channel by channel, on their way into the model.
    """

    mean: Channels = (0.0,)
    deviation: Channels = (1.0,)

    def __post_init__(self) -> None:
        validate(self)
        if not all(value > 0 for value in self.deviation):
            raise ValueError(f"deviation of {type(self).__name__} must be above 0; got {self.deviation}")

    def training(self, image: np.ndarray, seed: int, epoch: int, row: int) -> np.ndarray:
        """Return what training sees of an image in an epoch."""
        return self.varied(image, np.random.default_rng((seed, LOOK, epoch, row)))

    @abstractmethod
    def varied(self, image: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """Return the image changed at random."""

    @abstractmethod
    def plain(self, image: np.ndarray) -> np.ndarray:
        """Return the image as evaluation sees it."""


@dataclass(frozen=True, kw_only=True)
class ResizedCrop(Augmentation):
    """Paper 5, §3.1: the short side scaled to `resize`, a box of random area and shape scaled to a square, mirrored.

    Evaluation cuts the middle square. `scale` bounds the box's share of the area, `ratio` its width over its height.
    """

    resize: Annotated[int, Integer(1)] = 256
    size: Annotated[int, Integer(1)] = 227
    scale: tuple[float, float] = (0.16, 1.0)
    ratio: tuple[float, float] = (0.75, 1.33)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.scale[0] <= self.scale[1] <= 1:
            raise ValueError(f"scale of ResizedCrop must be two ascending numbers above 0, up to 1; got {self.scale}")
        if not 0 < self.ratio[0] <= self.ratio[1]:
            raise ValueError(f"ratio of ResizedCrop must be two ascending numbers above 0; got {self.ratio}")
        if self.size > self.resize:
            raise ValueError(f"size of ResizedCrop must be at most resize, {self.resize}; got {self.size}")

    def varied(self, image: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """Return a random box as a square, mirrored half of the time."""
        image = _short_side(image, self.resize)
        top, left, height, width = self._box(image.shape[0], image.shape[1], draw)
        square = _resized(image[top : top + height, left : left + width], self.size, self.size)
        return _mirrored(square, draw)

    def plain(self, image: np.ndarray) -> np.ndarray:
        """Return the middle square."""
        image = _short_side(image, self.resize)
        top, left = ((side - self.size) // 2 for side in image.shape[:2])
        return image[top : top + self.size, left : left + self.size]

    def _box(self, height: int, width: int, draw: np.random.Generator) -> tuple[int, int, int, int]:
        """Return (top, left, height, width) of a box of random area and shape, uniform among its places."""
        for _ in range(ATTEMPTS):
            area = height * width * draw.uniform(*self.scale)
            ratio = math.exp(draw.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            tall, wide = round(math.sqrt(area / ratio)), round(math.sqrt(area * ratio))
            if 0 < tall <= height and 0 < wide <= width:
                return int(draw.integers(height - tall + 1)), int(draw.integers(width - wide + 1)), tall, wide
        tall, wide = min(height, round(width / self.ratio[0])), min(width, round(height * self.ratio[1]))
        return (height - tall) // 2, (width - wide) // 2, tall, wide


@dataclass(frozen=True, kw_only=True)
class PaddedCrop(Augmentation):
    """For images of 32 pixels: `padding` black pixels on every side, a random square of the old size, mirrored.

    Evaluation takes the image as it is.
    """

    size: Annotated[int, Integer(1)] = 32
    padding: Annotated[int, Integer(0)] = 4
    mirror: Annotated[float, Real(0, 1)] = 0.5  # how often an image is mirrored: 0 for digits and letters

    def varied(self, image: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """Return the image shifted by up to `padding` pixels, mirrored half of the time."""
        sides = [(self.padding, self.padding)] * 2 + [(0, 0)] * (image.ndim - 2)
        wide = np.pad(self.plain(image), sides)
        top, left = draw.integers(2 * self.padding + 1, size=2)
        return _mirrored(wide[top : top + self.size, left : left + self.size], draw, self.mirror)

    def plain(self, image: np.ndarray) -> np.ndarray:
        """Return the image itself."""
        if image.shape[:2] != (self.size, self.size):
            raise ValueError(f"images for PaddedCrop must be {self.size} × {self.size}; got {_extent(image)}")
        return image


def _mirrored(image: np.ndarray, draw: np.random.Generator, share: float = 0.5) -> np.ndarray:
    return image[:, ::-1] if draw.random() < share else image


def _short_side(image: np.ndarray, pixels: int) -> np.ndarray:
    scale = pixels / min(image.shape[:2])
    return _resized(image, *(max(pixels, round(side * scale)) for side in image.shape[:2]))


def _resized(image: np.ndarray, height: int, width: int) -> np.ndarray:
    if image.shape[:2] == (height, width):
        return image
    try:
        from PIL import Image
    except ImportError:
        raise ValueError("images are resized with Pillow: pip install 'evenrank[files]'") from None
    scaled = Image.fromarray(np.ascontiguousarray(image)).resize((width, height), Image.Resampling.BILINEAR)
    return np.asarray(scaled)


def _extent(image: np.ndarray) -> str:
    return " × ".join(map(str, image.shape[:2]))
