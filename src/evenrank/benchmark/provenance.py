"""Where and with what a job ran.

Versions are looked up when this module is imported, since that takes longer than many a job does: workers are copies of
a process that has imported it.
"""

from __future__ import annotations

import platform
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from evenrank.benchmark import parts
from evenrank.machine import machine


def _versions() -> dict[str, str]:
    found = {}
    for name in ("evenrank", "numpy", "scipy", "scikit-learn", "numba", "torch"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


VERSIONS = _versions()


def provenance(folder: Path) -> dict[str, Any]:
    """Return checksum and leaks of the data cut into `folder`, versions, machine, and the time it is."""
    data = parts.about(folder)
    return {
        "data": data["checksum"],
        "leaks": [line for line in data.get("findings", []) if line.startswith("leak")],
        "libraries": VERSIONS,
        "python": platform.python_version(),
        "machine": machine(),
        "finished": time.time(),
    }
