"""Images of any size and kind, cut to the same square: what every image extractor starts from."""

from __future__ import annotations

import numpy as np

from evenrank.dataset import Media


def squares(items: Media, size: int, resize: int, interpolation: str) -> np.ndarray:
    """Return (items, size, size, 3) uint8: the short side scaled to `resize` pixels, then the middle.

    Files are decoded one at a time; grey becomes three equal channels.
    """
    out = np.empty((len(items), size, size, 3), np.uint8)
    for row, image in enumerate(items):
        out[row] = _square(image if image.ndim == 3 else np.stack([image] * 3, axis=-1), size, resize, interpolation)
    return out


def _square(image: np.ndarray, size: int, resize: int, interpolation: str) -> np.ndarray:
    scale = resize / min(image.shape[:2])
    if scale != 1:
        from PIL import Image

        height, width = (max(resize, round(side * scale)) for side in image.shape[:2])
        method = Image.Resampling[interpolation.upper()]
        image = np.asarray(Image.fromarray(image).resize((width, height), method))
    top, left = ((side - size) // 2 for side in image.shape[:2])
    return image[top : top + size, left : left + size]
