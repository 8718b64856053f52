"""How a table is laid out, and where stored results are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.intervals import student_interval

ROOT = Path(__file__).parent.parent.parent


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows))


def stored(name: str) -> Any:
    """Return a stored result."""
    return json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text(encoding="utf-8"))


def times_as_long(seconds: float, base: float) -> str:
    """Return a ratio of times in two digits, or whole."""
    ratio = seconds / base
    return f"{ratio:.2g} ×" if ratio < 10 else f"{ratio:,.0f} ×"


def difference(values: np.ndarray) -> str:
    """Return the mean of paired differences with its interval; a dash where they are all 0."""
    low, high = student_interval(values, 0.95)
    return f"{values.mean():+.4f} ± {(high - low) / 2:.4f}" if values.any() else "–"
