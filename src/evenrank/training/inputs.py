"""From rows of a dataset to what a model takes: features as they are, images as numbers between 0 and 1."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from evenrank.augmentation import Augmentation
from evenrank.dataset import Media
from evenrank.formats.images import ImageFiles

BLOCK = 256  # items encoded at a time

Items = Media | Tensor  # features (n, …) float, images (n, height, width[, 3]) uint8, or files of images


class Inputs:
    """Items on their way into a model, on its device and in its type.

    Features become (rows, …), images (rows, channels, height, width); files are decoded when they are asked for.
    """

    def __init__(self, items: Items, augmentation: Augmentation | None, model: nn.Module) -> None:
        self.items: Any = items
        self.augmentation = augmentation
        floats = [each for each in model.parameters() if each.is_floating_point()]
        if not floats:
            raise ValueError("a model must have parameters; got none")
        self.like = floats[0].detach()
        first = None if isinstance(items, ImageFiles) else _taken(items, np.arange(min(1, len(items))))
        self.images = first is None or first.dtype == torch.uint8
        if self.images and isinstance(items, Tensor):
            self.items = items.cpu().numpy()
        if first is None and augmentation is None:
            raise ValueError("files of images differ in size: give an augmentation, like ResizedCrop()")
        if first is not None and not (first.is_floating_point() or (self.images and first.ndim in (3, 4))):
            raise ValueError(f"items must be float features or uint8 images; got {first.dtype} of {first.ndim} axes")
        if augmentation is not None and not self.images:
            raise ValueError("augmentation is for images; got features")

    def __len__(self) -> int:
        return len(self.items)

    def varied(self, rows: np.ndarray, seed: int, epoch: int) -> Tensor:
        """Return the inputs of some rows as an epoch of training sees them."""
        augmentation = self.augmentation
        if augmentation is None:
            return self.plain(rows)
        return self._looked_at(rows, lambda row: augmentation.training(self.items[row], seed, epoch, row))

    def plain(self, rows: np.ndarray) -> Tensor:
        """Return the inputs of some rows as evaluation sees them."""
        augmentation = self.augmentation
        if augmentation is not None:
            return self._looked_at(rows, lambda row: augmentation.plain(self.items[row]))
        taken = _taken(self.items, rows)
        return self._pixels(taken) if self.images else taken.to(self.like)

    def _looked_at(self, rows: np.ndarray, look: Callable[[int], np.ndarray]) -> Tensor:
        """Return what `look` makes of each row; files are decoded by as many threads as there are cores."""
        if not isinstance(self.items, ImageFiles):
            return self._pixels(torch.from_numpy(np.stack([look(int(row)) for row in rows])))
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return self._pixels(torch.from_numpy(np.stack(list(threads.map(look, rows.tolist())))))

    def _pixels(self, images: Tensor) -> Tensor:
        """Return (rows, channels, height, width), the values of 0 … 255 brought to the augmentation's mean."""
        shaped = images if images.ndim == 4 else images[..., None]
        values = shaped.to(self.like.device).permute(0, 3, 1, 2).to(self.like.dtype) / 255
        if self.augmentation is None:
            return values
        moments = self.augmentation.mean, self.augmentation.deviation
        mean, deviation = (self.like.new_tensor(each).view(-1, 1, 1) for each in moments)
        return (values - mean) / deviation


def _taken(items: Items, rows: np.ndarray) -> Tensor:
    if isinstance(items, Tensor):
        return items[torch.from_numpy(rows).to(items.device)].detach()
    try:
        return torch.from_numpy(np.asarray(items[rows]))
    except TypeError:
        raise ValueError(f"items must be float features or uint8 images; got {items.dtype}") from None  # type: ignore[union-attr]


def encode(model: nn.Module, items: Items, augmentation: Augmentation | None = None) -> np.ndarray:
    """Return the outputs of all items, (items, dimensions), computed in full precision as evaluation sees them."""
    return encoded(model, Inputs(items, augmentation, model)).cpu().numpy()


@torch.no_grad()
def encoded(model: nn.Module, inputs: Inputs) -> Tensor:
    """Return the outputs of all inputs, on the model's device; leaves the model in evaluation mode."""
    model.eval()
    rows = np.arange(len(inputs))
    return torch.cat([model(inputs.plain(rows[first : first + BLOCK])) for first in range(0, len(rows), BLOCK)])
