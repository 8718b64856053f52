"""The demo: handwritten digits, hashed by methods of each kind, run as any plan is: jobs, a store, and a report."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.runner import Progress, run
from evenrank.benchmark.shipped import read_plan
from evenrank.benchmark.store import Store
from evenrank.report.contents import Contents, read

STORE = "results.sqlite"


def plan(seed: int = 0) -> Plan:
    """Return the plan `demo` with a seed of its own: 100 digits a class train, 20 others query all that are left."""
    shipped = read_plan("demo")
    protocol = f"per_class(queries=20, training=100, seed={seed})"
    return Plan.model_validate({**shipped.model_dump(), "protocol": protocol, "seed": seed})


def results(folder: Path, seed: int = 0, progress: Callable[[Progress], None] | None = None) -> Contents:
    """Run the demo anew and return what its store, results.sqlite in `folder`, then holds."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen, store = plan(seed), Store(folder / STORE)
    store.forget(chosen)
    with TemporaryDirectory() as workspace:
        state = run(chosen, store, Path(workspace), workers=os.cpu_count() or 1, progress=progress)
    if state.failed:
        raise ValueError(f"{state.failed} jobs of the demo failed; see evenrank bench status --store {folder / STORE}")
    return read(store, chosen)
