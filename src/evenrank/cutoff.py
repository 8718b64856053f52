"""Where a ranking is cut: not at all, at a rank, at the number of relevant items, or at a Hamming radius.

Written behind the `@` of a metric's name: `AP`, `AP@1000`, `AP@R`, `P@H<=2`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["none", "rank", "relevant", "radius"]


@dataclass(frozen=True)
class Cutoff:
    """A cut of the ranking; `value` is the rank or the radius."""

    kind: Kind = "none"
    value: int = 0

    @classmethod
    def parse(cls, text: str) -> Cutoff:
        """Return the cut that `text` (what stands behind the @) names.

        >>> Cutoff.parse("10"), Cutoff.parse("R").kind, str(Cutoff.parse("H≤2"))
        (Cutoff(kind='rank', value=10), 'relevant', '@H<=2')
        """
        text = text.replace(" ", "").replace("≤", "<=").upper()
        if text == "R":
            return cls("relevant")
        if radius := re.fullmatch(r"H<=(\d+)", text):
            return cls("radius", int(radius[1]))
        if re.fullmatch(r"\d+", text):
            return cls("rank", int(text))
        raise ValueError(f"a cut-off must be a rank, R or H<=radius; got {text!r}")

    def __str__(self) -> str:
        return {"none": "", "rank": f"@{self.value}", "relevant": "@R", "radius": f"@H<={self.value}"}[self.kind]
