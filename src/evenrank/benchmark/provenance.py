"""Where and with what jobs ran: what each writes down, and what all of a plan wrote.

Versions are looked up when this module is imported, since that takes longer than many a job does: workers are copies of
a process that has imported it.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
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
Row = dict[str, Any]  # of a store


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


@dataclass(frozen=True)
class Provenance:
    """With what the jobs ran: every value that occurs, the time of the first and the last, and all their seconds."""

    data: tuple[str, ...]
    leaks: tuple[str, ...]  # that were found when the data was cut
    libraries: dict[str, tuple[str, ...]]
    python: tuple[str, ...]
    machines: tuple[str, ...]
    began: float | None
    ended: float | None
    seconds: float


def gathered(rows: Sequence[Row]) -> Provenance:
    """Return with what the jobs of these rows of a store ran: one value of each if all ran alike."""
    about = [row["provenance"] for row in rows if row["provenance"]]
    libraries: dict[str, set[str]] = {}
    for each in about:
        for name, found in each["libraries"].items():
            libraries.setdefault(name, set()).add(found)
    began = [row["provenance"]["finished"] - row["seconds"] for row in rows if row["provenance"]]

    def every(name: str) -> tuple[str, ...]:
        return tuple(sorted({str(each[name]) for each in about}))

    return Provenance(
        data=every("data"),
        leaks=tuple(sorted({line for each in about for line in each.get("leaks", ())})),
        libraries={name: tuple(sorted(versions)) for name, versions in libraries.items()},
        python=every("python"),
        machines=every("machine"),
        began=min(began, default=None),
        ended=max((each["finished"] for each in about), default=None),
        seconds=sum(row["seconds"] for row in rows),
    )
