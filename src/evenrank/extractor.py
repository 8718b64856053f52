"""What an extractor is: images or texts in, one row of features each out.

One file of `extractors/` holds one. `fit` loads or learns what is needed (weights, a vocabulary, centres), the latter
from training items alone, and returns the function that turns any items into features, a block at a time. A row depends
on its item, not on the block it came in, except for how a network's arithmetic rounds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from evenrank.dataset import Media
from evenrank.formats.images import ImageFiles
from evenrank.parameters import validate

Extract = Callable[[Media], np.ndarray]  # items to features, (items, dimensions) float32


@dataclass(frozen=True)
class Extractor(ABC):
    """The contract of `extractors/`: class constants say what it reads, fields are its options."""

    title: ClassVar[str]
    reads: ClassVar[Literal["image", "text"]]
    learns: ClassVar[bool] = False  # whether `fit` looks at the items
    libraries: ClassVar[tuple[str, ...]] = ("numpy",)  # whose versions may change the features

    def __post_init__(self) -> None:
        validate(self)

    @abstractmethod
    def fit(self, items: Media) -> Extract:
        """Return the function that turns items into features, having learned from training items."""

    def files(self) -> tuple[Path, ...]:
        """Return the files that decide the features beside the options: weights, a tokenizer, code."""
        return ()

    @property
    def note(self) -> str:
        """What a reader of the features must know, in a few words; empty if nothing."""
        return ""

    @property
    def name(self) -> str:
        """Its identifier in the catalog."""
        return type(self).__module__.rsplit(".", 1)[-1]

    @property
    def options(self) -> dict[str, Any]:
        """Its options by name."""
        return asdict(self)


def media(items: Media) -> Literal["image", "text", "features"]:
    """Return what items are.

    >>> media(np.zeros((2, 32, 32, 3), np.uint8)), media(np.zeros((2, 64))), media(np.array(["a", "b"]))
    ('image', 'features', 'text')
    """
    if isinstance(items, ImageFiles) or (items.dtype == np.uint8 and items.ndim in (3, 4)):
        return "image"
    return "text" if items.ndim == 1 and items.dtype.kind in "TU" else "features"
