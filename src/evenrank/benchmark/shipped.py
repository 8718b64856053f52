"""Plans that come with the package: the TOML files of `plans/`, one a table of the five papers, by name."""

from __future__ import annotations

from pathlib import Path

from evenrank.benchmark.plan import Plan
from evenrank.catalog import ROOT
from evenrank.parameters import nearest


def shipped() -> dict[str, Path]:
    """Return the file of every plan that comes with the package, by name."""
    return {path.stem: path for path in sorted((ROOT / "plans").glob("*.toml"))}


def plan_file(given: str | Path) -> Path:
    """Return the file that is meant: a path, or the name of a plan that comes with the package.

    >>> plan_file("paper5_cub200").name
    'paper5_cub200.toml'
    """
    path, known = Path(given), shipped()
    if path.is_file() or path.suffix:
        return path
    if str(given) not in known:
        listed = ", ".join(known)
        raise ValueError(f"{given}: no such file, and no plan of evenrank's: {listed}{nearest(str(given), [*known])}")
    return known[str(given)]


def read_plan(given: str | Path) -> Plan:
    """Return the plan of a file, or the one of that name that comes with the package."""
    return Plan.read(plan_file(given))
