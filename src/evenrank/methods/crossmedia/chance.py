"""Chance: random embeddings that say nothing about an item, the control at the lower end of every table.

The values are a cryptographic hash of the seed, the modality and the item's features, not drawn row by row: equal items
get equal embeddings, as from any method, and one does not depend on where its item lies. Random codes rank as randomly,
so that this one control serves binary methods too.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import shake_128
from typing import Annotated, Any

import numpy as np

from evenrank.arrays import row_blocks
from evenrank.cross_media_method import CrossMediaMethod
from evenrank.embeddings import Embeddings
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class Chance(CrossMediaMethod):
    """Random embeddings, independent of everything but the identity of an item.

    Features are rounded to float32 first, so that one item in two precisions is one item.
    """

    title = "Chance across modalities"
    paper = "a control"
    cost = "nothing"

    dimensions: Annotated[int, Integer(1, 4096)] = 10
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: dict[str, np.ndarray], y: Any) -> None:
        """Keep the seed and the number of dimensions: there is nothing to learn."""
        self.seed_, self.dimensions_ = self.seed, self.dimensions

    def project(self, x: np.ndarray, modality: str) -> Embeddings:
        """Return SHAKE-128(seed, modality, features) as numbers between −1 and 1, none of them 0."""
        start, size = f"{self.seed_}:{modality}:".encode(), 4 * self.dimensions_
        rows = (row for _, block in row_blocks(x) for row in block.astype(np.float32) + np.float32(0))  # −0 is 0
        drawn = np.frombuffer(b"".join(shake_128(start + row.tobytes()).digest(size) for row in rows), "<u4")
        return Embeddings((drawn.reshape(-1, self.dimensions_) + 0.5) / 2**31 - 1)
