"""Stores with results that nobody had to compute."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from evenrank.benchmark.jobs import Job, ready
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Report, Store

QUERIES = 20
PROVENANCE = {
    "data": "0f" * 32,
    "leaks": ["leak: two are one"],
    "libraries": {"evenrank": "0.1.0", "numpy": "2.0.0"},
    "python": "3.11.0",
    "machine": "a machine",
    "finished": 1_700_000_000.0,
}
Value = Callable[[Job], float | None]


def by_method(job: Job) -> float:
    """Return a value that says method, trial or repeat, and fold."""
    return (0.5 if "itq" in job.method else 0.2) + 0.01 * job.number + 0.001 * job.fold


def filled(plan: Plan, path: Path, *, folds: int = 1, jobs: int = 1000, value: Value = by_method) -> Store:
    """Return a store in which the first jobs of a plan are done, one after the other; None: that job failed."""
    store = Store(path)
    store.add(plan)
    for _ in range(jobs):
        task = next(ready(plan, store.outcomes(plan), folds), None)
        if task is None:
            break
        if task.job.kind == "final":
            store.open_test(plan, task.job, task.parameters)
        store.finish(plan, task.job, task.parameters, report(plan, task.job, value(task.job)))
    return store


def report(plan: Plan, job: Job, value: float | None) -> Report:
    """Return what a job would leave that reached this value, in as many seconds as its kind has letters."""
    if value is None:
        return Report(None, {}, {}, 0.0, {}, "Traceback\n  somewhere\nValueError: it broke\n")
    random = np.random.default_rng(job.number)
    spread = {f"test: {name}": value + random.normal(0, 0.01, QUERIES) for name in plan.metrics}
    per_query = spread if job.kind == "final" else {}
    metrics = {"test": dict.fromkeys(plan.metrics, value)}
    return Report(value, metrics, per_query, float(len(job.kind)), PROVENANCE)
