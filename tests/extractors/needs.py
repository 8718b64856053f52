"""What a test needs beyond the library: packages, and real data."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest


def packages(*names: str) -> pytest.MarkDecorator:
    """Return the mark that skips where one of the packages is not installed."""
    missing = [name for name in names if find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}")


def data(name: str) -> Path:
    """Return a folder below EVENRANK_DATA; skip where it is not there."""
    folder = Path(os.environ.get("EVENRANK_DATA", "data-root-is-not-set")) / name
    if not folder.exists():
        pytest.skip(f"{name} is not in EVENRANK_DATA")
    return folder
