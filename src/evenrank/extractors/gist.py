"""GIST: the spatial envelope of a scene, the energy of oriented edges at several scales in each part of the image.

Oliva, Torralba: Modeling the Shape of the Scene. International Journal of Computer Vision 42, 2001; constants as in
the authors' program: local contrast is evened out first, then a bank of Gabor filters is applied in the Fourier domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from evenrank.dataset import Media
from evenrank.extractor import Extract, Extractor
from evenrank.extractors._squares import squares
from evenrank.parameters import Integer

CONTRAST_BORDER, CONTRAST_CYCLES, CONTRAST_FLOOR = 5, 4, 0.2
BORDER = 32  # pixels mirrored around the image, so that opposite edges do not touch


@dataclass(frozen=True)
class Gist(Extractor):
    """Mean magnitude of each Gabor filter in each cell of a grid: scales × orientations × grid² numbers."""

    title = "GIST"
    reads = "image"
    libraries = ("numpy", "scipy", "pillow")

    size: Annotated[int, Integer(8, 1024)] = 32
    scales: Annotated[int, Integer(1, 8)] = 4
    orientations: Annotated[int, Integer(1, 32)] = 8
    grid: Annotated[int, Integer(1, 8)] = 4

    def fit(self, items: Media) -> Extract:
        """Return the filters' pass over images, made grey."""
        from scipy.fft import fft2, ifft2

        filters = [*_gabor(self.size + 2 * BORDER, self.scales, self.orientations)]
        middle = slice(BORDER, -BORDER)

        def extract(items: Media) -> np.ndarray:
            grey = squares(items, self.size, self.size, "bilinear").mean(axis=3, dtype=np.float32)
            spectrum = fft2(_mirrored(_even_contrast(grey), BORDER))
            responses = (np.abs(ifft2(spectrum * each))[:, middle, middle] for each in filters)
            return np.concatenate([_cells(response, self.grid) for response in responses], axis=1)

        return extract


def _even_contrast(grey: np.ndarray) -> np.ndarray:
    """Return images, log-scaled, without their slow changes, divided by the local deviation."""
    low, high = grey.min(axis=(1, 2), keepdims=True), grey.max(axis=(1, 2), keepdims=True)
    stretched = 255 * (grey - low) / np.maximum(high - low, 1)
    image = _mirrored(np.log1p(stretched), CONTRAST_BORDER)
    frequency, _ = _polar(image.shape[1])
    smooth = np.exp(-(frequency**2) * np.log(2) / CONTRAST_CYCLES**2).astype(np.float32)
    sharp = image - _filtered(image, smooth)
    deviation = np.sqrt(np.abs(_filtered(sharp**2, smooth)))
    middle = slice(CONTRAST_BORDER, -CONTRAST_BORDER)
    return (sharp / (CONTRAST_FLOOR + deviation))[:, middle, middle]


def _filtered(image: np.ndarray, transfer: np.ndarray) -> np.ndarray:
    from scipy.fft import fft2, ifft2

    return ifft2(fft2(image) * transfer).real


def _gabor(size: int, scales: int, orientations: int) -> Iterator[np.ndarray]:
    """Yield the filters' transfer functions, (size, size): a ring of frequencies, cut to one direction."""
    frequency, angle = _polar(size)
    for scale in range(scales):
        centre = 0.3 / 1.85**scale  # cycles a pixel
        radial = -10 * 0.35 * (frequency / size / centre - 1) ** 2
        for orientation in range(orientations):
            turned = angle + np.pi * orientation / orientations
            turned = (turned + np.pi) % (2 * np.pi) - np.pi
            sharpness = 16 * orientations**2 / 32**2
            yield np.exp(radial - 2 * np.pi * sharpness * turned**2).astype(np.float32)


def _polar(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each Fourier coefficient's frequency in cycles an image and its angle, both (size, size)."""
    along = np.fft.fftfreq(size, 1 / size)
    across, down = np.meshgrid(along, along)
    return np.hypot(across, down), np.arctan2(down, across)


def _mirrored(images: np.ndarray, border: int) -> np.ndarray:
    return np.pad(images, ((0, 0), (border, border), (border, border)), mode="symmetric")


def _cells(response: np.ndarray, grid: int) -> np.ndarray:
    """Return the mean of each cell, (images, grid²)."""
    edges = np.linspace(0, response.shape[1], grid + 1).astype(int)[:-1]
    sums = np.add.reduceat(np.add.reduceat(response, edges, axis=1), edges, axis=2)
    heights = np.diff([*edges, response.shape[1]])
    return (sums / np.outer(heights, heights)).reshape(len(response), -1).astype(np.float32)
