"""Real data for tests, where EVENRANK_DATA names a folder that holds it; a skip that says what is missing elsewhere."""

import os
from functools import cache
from pathlib import Path

import pytest

from evenrank.dataset import Dataset, data_root, dataset, loader
from evenrank.datasets.bundle import Bundle


def root() -> Path:
    """Return the data root, or skip the test."""
    if not os.environ.get("EVENRANK_DATA"):
        pytest.skip("EVENRANK_DATA names no folder of real data")
    return data_root()


def path(*parts: str) -> Path:
    """Return a path below the data root, or skip the test."""
    found = root().joinpath(*parts)
    if not found.exists():
        pytest.skip(f"EVENRANK_DATA holds no {'/'.join(parts)}")
    return found


@cache
def real(name: str) -> Dataset:
    """Return a real dataset, read once, or skip the test."""
    folder, chosen = root(), loader(name)
    there = (folder / chosen.path).exists() if isinstance(chosen, Bundle) else chosen.present(folder)
    if not there:
        pytest.skip(f"EVENRANK_DATA holds no {name}")
    return dataset(chosen)
