"""What tests of figures read of a store, without the package."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

NAMES = {
    "Chance": "hashing/chance",
    "LSH": "hashing/lsh",
    "ITQ": "hashing/itq",
    "Trivial solution": "hashing/trivial",
}
SEARCHED = "per class"  # what the protocol of the real store calls its test set
Final = Callable[[str, int], list[dict[str, Any]]]


def mean(values: Iterable[float]) -> float:
    return float(np.array(list(values)).mean())


def finder(rows: list[dict[str, Any]]) -> Final:
    """Return what finds the repeats of a method, by its label, at a width or without one."""

    def final(label: str, width: int) -> list[dict[str, Any]]:
        found = [row for row in rows if row["method"] == NAMES[label] and row["width"] in (width, None)]
        assert len(found) == 3
        return found

    return final
