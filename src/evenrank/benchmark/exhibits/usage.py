"""How many items share each code of a database."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenrank.benchmark.final import Search
from evenrank.codes import Codes
from evenrank.distinct import distinct

COUNTS = 4096
LARGEST = 1023  # bits whose number of codes is still a float


def usage(search: Search) -> dict[str, Any] | None:
    """Return the items on each code, most first, beside the number of codes in use and of codes there are.

    None of embeddings.
    """
    if not isinstance(search.database, Codes):
        return None
    counts = np.sort(distinct(search.database).multiplicity)[::-1]
    return {
        "counts": counts[:COUNTS].tolist(),
        "codes": len(counts),
        "items": len(search.database),
        "space": 2.0 ** min(search.database.bits, LARGEST),
    }
