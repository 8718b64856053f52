"""The values of a plan's final runs, by method, as `evenrank.significance.compare` takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Store
from evenrank.metric import parse

Methods = dict[str, np.ndarray]


def searches(plan: Plan, store: Store) -> list[str]:
    """Return what final runs searched, like "test" or "image to text"."""
    finals = (row for row in store.rows(plan) if row["kind"] == "final")
    return list(dict.fromkeys(searched for row in finals for searched in row["metrics"]))


def per_query(plan: Plan, store: Store, metric: str, width: int | None, searched: str) -> Methods:
    """Return (runs, queries) of every method: of this width, or of none; a run is a repeat, or a fold's model in it."""
    name = _name(plan, metric)
    if parse(name).reads == "clusters":
        raise ValueError(f"{name} has no values of queries: only --by-run can compare it")
    known = runs(plan, store, searched, name)
    found: dict[str, list[np.ndarray]] = {}
    for row in _finals(plan, store, width, searched):
        found.setdefault(row["method"], []).extend(known[row["key"]])
    return {method: np.stack(mine) for method, mine in found.items()}


def runs(plan: Plan, store: Store, searched: str, metric: str) -> Methods:
    """Return (runs, queries) of every final job, by key; of a clustering score nothing."""
    return {key: np.atleast_2d(values) for key, values in store.queries(plan, f"{searched}: {metric}").items()}


def per_run(plan: Plan, store: Store, metric: str, width: int | None, searched: str) -> Methods:
    """Return the mean of every repeat of every method; repeats that not all methods have are left out."""
    name = _name(plan, metric)
    found: dict[str, dict[int, float]] = {}
    for row in _finals(plan, store, width, searched):
        found.setdefault(row["method"], {})[row["number"]] = row["metrics"][searched][name]
    shared = set.intersection(*map(set, found.values())) if found else set()
    return {method: np.array([mine[number] for number in sorted(shared)]) for method, mine in found.items()}


def _finals(plan: Plan, store: Store, width: int | None, searched: str) -> list[dict[str, Any]]:
    return [
        row
        for row in store.rows(plan)
        if row["kind"] == "final" and row["width"] in (width, None) and searched in row["metrics"]
    ]


def _name(plan: Plan, metric: str) -> str:
    """Return how the plan writes a metric, however it is written here."""
    for name in plan.metrics:
        if str(parse(name)) == str(parse(metric)):
            return name
    raise ValueError(f"--metric must be one of the plan's, {', '.join(plan.metrics)}; got {metric!r}")
