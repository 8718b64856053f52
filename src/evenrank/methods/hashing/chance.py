"""Chance: random codes that say nothing about an item, the control at the lower end of every table.

The bits are a cryptographic hash of the seed and the item's features, not drawn row by row: equal items get equal
codes, as from any method, and a code does not depend on where its item lies. Drawn by row, the first query and the
first item of the database would share a code.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import shake_128
from typing import Annotated, Any

import numpy as np

from evenrank.arrays import row_blocks
from evenrank.codes import Codes
from evenrank.method import Method
from evenrank.parameters import Integer


@dataclass(eq=False, repr=False, kw_only=True)
class Chance(Method):
    """Random codes, independent of everything but the identity of an item.

    Features are rounded to float32 first, so that one item in two precisions is one item.
    """

    title = "Chance"
    paper = "a control"
    cost = "nothing"

    bits: Annotated[int, Integer(1, 4096)] = 32
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Keep the seed and the number of bits: there is nothing to learn."""
        self.seed_, self.bits_ = self.seed, self.bits

    def read(self, x: np.ndarray) -> Codes:
        """Return the first bits of SHAKE-128(seed, features)."""
        start, size = str(self.seed_).encode() + b":", -(-self.bits_ // 8)
        rows = (row for _, block in row_blocks(x) for row in block.astype(np.float32) + np.float32(0))  # −0 is 0
        packed = b"".join(shake_128(start + row.tobytes()).digest(size) for row in rows)
        return Codes.from_packed(np.frombuffer(packed, np.uint8).reshape(-1, size), bits=self.bits_)
