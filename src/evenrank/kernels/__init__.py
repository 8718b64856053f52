"""Kernels count; they never know what a metric is.

Every backend is a module with the same five functions over plain arrays (`reference` is the slow, obvious one and the
definition of the others): `hamming_counts`, `hamming_pairs`, `real_pairs`, `real_counts`, `occupancy`.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from evenrank.kernels.lists import Lists

BACKENDS = ("cpu", "reference")

__all__ = ["BACKENDS", "Lists", "backend"]


def backend(name: str) -> ModuleType:
    """Return the kernel module called `name`; "auto" is the fastest that works here."""
    if name != "auto" and name not in BACKENDS:
        raise ValueError(f"backend must be one of auto, {', '.join(BACKENDS)}; got {name!r}")
    return import_module(f"evenrank.kernels.{'cpu' if name == 'auto' else name}")
