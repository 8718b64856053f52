"""Stores that reports are made of: one of real jobs, and written ones of any size."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t

from evenrank.benchmark import parts
from evenrank.benchmark.jobs import Job, Task
from evenrank.benchmark.plan import Plan, widths
from evenrank.benchmark.store import Report, Store
from evenrank.benchmark.work import work
from tests.benchmark import filled

Stored = tuple[Plan, Store, Path]  # a plan, its store, and the folder of store.sqlite
METHODS = ("hashing/chance", "hashing/lsh", "hashing/itq", "hashing/trivial")
SMALL: dict[str, Any] = {
    "title": "Digits, small",
    "dataset": "digits",
    "protocol": "per_class(queries=5, training=20)",
    "bits": [8, 16],
    "metrics": ["AP", "P@10", "LGAP@2"],
    "repeats": 3,
    "tuning": {"trials": 2, "sampler": "random"},
    "methods": [{"name": name} for name in METHODS],
}
PROVENANCE = filled.PROVENANCE | {"leaks": []}


def plan(**changes: Any) -> Plan:
    """Return the small plan, changed."""
    return Plan.model_validate({**SMALL, **changes})


def real(folder: Path) -> tuple[Plan, Store]:
    """Return a store of the small plan, whose final jobs ran and whose trials are written."""
    chosen = plan()
    store = finished(chosen, folder, lambda job: {"iterations": 20 + (job.width or 0)} if "itq" in job.method else {})
    for row in finals(folder / "store.sqlite"):
        if not row["number"]:
            tried = written({"validation": {"AP": 0.5}}, 0.5)._replace(provenance=row["provenance"])
            for number in range(chosen.trials(chosen.methods[METHODS.index(row["method"])])):
                job = Job("tune", row["method"], row["width"], number)
                store.finish(chosen, job, {**row["parameters"], "tried": number}, tried)
    return chosen, store


def finished(chosen: Plan, folder: Path, setting: Callable[[Job], dict[str, Any]] = lambda job: {}) -> Store:
    """Return a store of a plan whose final jobs ran, each with a setting."""
    store = Store(folder / "store.sqlite")
    parts.prepare(chosen, folder / "parts")
    store.add(chosen)
    for compared in chosen.methods:
        for width in widths(chosen, compared):
            for repeat in range(chosen.repeats):
                job = Job("final", compared.title, width, repeat)
                store.open_test(chosen, job, setting(job))
                left = work(chosen, Task(job, setting(job)), folder / "parts")
                store.finish(chosen, job, setting(job), left)
    return store


def written(
    metrics: dict[str, dict[str, float]],
    value: float | None = None,
    queries: dict[str, np.ndarray] | None = None,
    exhibits: dict[str, Any] | None = None,
    traceback: str = "",
) -> Report:
    """Return what a job leaves that never ran; of one query if nothing is said of queries."""
    single = {f"{what}: {name}": np.array([mean]) for what, found in metrics.items() for name, mean in found.items()}
    return Report(value, metrics, queries or single, 1.5, PROVENANCE, traceback, exhibits or {})


def ranked(
    folder: Path, means: dict[str, float], *, repeats: int = 3, queries: int = 60, spread: float = 0.1, **changes: Any
) -> tuple[Plan, Store]:
    """Return a store of methods, by label, whose queries scatter around a mean; all of them are LSH to the catalog."""
    methods = [{"name": "hashing/lsh", "label": label} for label in means]
    chosen = plan(**{"methods": methods, "bits": [8], "metrics": ["AP"], "repeats": repeats, **changes})
    store = Store(folder / "store.sqlite")
    store.add(chosen)
    random = np.random.default_rng(0)
    shared = random.normal(0, spread, queries)  # what is hard for one is hard for all
    for label, mean in means.items():
        for width in chosen.bits:
            for repeat in range(repeats):
                values = mean + shared + random.normal(0, spread / 10, queries)
                value = float(values.mean())
                ties = {"test": {"AP": {"best": value + 0.02, "worst": value - 0.02, "std": 0.001}}}
                left = written({"test": {"AP": value}}, value, {"test: AP": values}, {"ties": ties})
                store.finish(chosen, Job("final", label, width, repeat), {}, left)
    return chosen, store


def crowded(folder: Path, methods: int, bits: tuple[int, ...], repeats: int) -> tuple[Plan, Store]:
    """Return a store of many methods, each of which left all that a real job leaves: LSH's, its values moved."""
    labels = [f"method {number}" for number in range(methods)]
    chosen = plan(
        title="Many methods",
        methods=[{"name": "hashing/lsh", "label": label} for label in labels],
        bits=list(bits),
        repeats=repeats,
    )
    store = Store(folder / "store.sqlite")
    store.add(chosen)
    parts.prepare(chosen, folder / "parts")
    random = np.random.default_rng(0)
    for width in chosen.bits:
        first, later = (
            work(chosen, Task(Job("final", labels[0], width, repeat), {}), folder / "parts") for repeat in (0, 1)
        )
        for label in labels:
            for repeat in range(repeats):
                left = _moved(later if repeat else first, float(random.normal(0, 0.02)))
                store.finish(chosen, Job("final", label, width, repeat), {}, left)
    return chosen, store


def _moved(left: Report, by: float) -> Report:
    """Return what a job left with all its values and tie ranges moved."""

    def moved(found: dict[str, float]) -> dict[str, float]:
        return {name: value if name == "std" or value is None else value + by for name, value in found.items()}

    ties = {
        what: {metric: moved(ends) for metric, ends in found.items()} for what, found in left.exhibits["ties"].items()
    }
    return left._replace(
        metrics={what: moved(found) for what, found in left.metrics.items()},
        per_query={name: values + by for name, values in left.per_query.items()},
        exhibits=left.exhibits | {"ties": ties},
    )


def finals(path: Path) -> list[dict[str, Any]]:
    """Return the final jobs of a SQLite store with their exhibits, read without the package."""
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        shown: dict[str, dict[str, Any]] = {}
        for row in connection.execute("select key, name, content from exhibits"):
            shown.setdefault(row["key"], {})[row["name"]] = json.loads(row["content"])
        rows = connection.execute("select * from jobs where kind = 'final' order by number").fetchall()
    read = ("parameters", "metrics", "provenance")
    return [
        {**dict(row), **{name: json.loads(row[name]) for name in read}, "exhibits": shown.get(row["key"], {})}
        for row in rows
    ]


def per_query(path: Path) -> dict[tuple[str, str], np.ndarray]:
    """Return the values of queries of a SQLite store, by job and name, read without the package."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute("select key, metric, content from job_values").fetchall()
    return {(key, name): next(iter(np.load(io.BytesIO(content)).values())) for key, name, content in rows}


def half_width(runs: list[np.ndarray]) -> float:
    """Return half of Student's interval over queries and repeats, after Welch and Satterthwaite."""
    values = np.array(runs)
    queries, repeats = values.mean(axis=0), values.mean(axis=1)
    parts = [(each.var(ddof=1) / len(each), len(each) - 1) for each in (queries, repeats)]
    error = sum(part for part, _ in parts)
    return float(t.ppf(0.975, error**2 / sum(part**2 / degrees for part, degrees in parts)) * error**0.5)
