"""Packages that a test needs beyond the library."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def packages(*names: str) -> pytest.MarkDecorator:
    """Return the mark that skips where one of the packages is not installed."""
    missing = [name for name in names if find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}")
