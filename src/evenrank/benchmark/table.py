"""The table of a plan, from its store alone: mean and Student's interval over repeats, and what was chosen."""

from __future__ import annotations

from typing import Any

import numpy as np

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Store
from evenrank.intervals import student_interval
from evenrank.table import text_table

Rows = list[dict[str, Any]]


def table(plan: Plan, store: Store) -> str:
    """Return the table of the final runs; what is missing, failed or was opened twice stands below it."""
    finals = [row for row in store.rows(plan) if row["kind"] == "final"]
    studies: dict[tuple[str, int | None], Rows] = {}
    for row in finals:
        studies.setdefault((row["method"], row["width"]), []).append(row)
    lines = [
        [method, str(width or "–"), what, *cells, str(len(mine))]
        for (method, width), mine in sorted(studies.items(), key=lambda item: (item[0][1] or 0, item[0][0]))
        for what, cells in _cells(plan, mine)
    ]
    header = ["method", "width", "searched", *plan.metrics, "repeats"]
    text = text_table(header, lines, left=3) if lines else "no final run is done yet"
    return "\n".join([text, *_chosen(studies), *_notes(plan, store, len(finals))])


def _cells(plan: Plan, mine: Rows) -> list[tuple[str, list[str]]]:
    """Return a line for each thing that was searched: mean ± half-width of every metric over the repeats."""
    good = [row["metrics"] for row in mine if row["metrics"]]
    return [
        (what, [interval(np.array([metrics[what][name] for metrics in good])) for name in plan.metrics])
        for what in (good[0] if good else ())
    ]


def interval(values: np.ndarray) -> str:
    """Return mean ± Student's half-width at 95 %; the value alone if there is one.

    >>> interval(np.array([0.5, 0.5, 0.5]))
    '0.5000 ± 0.0000'
    """
    if len(values) < 2:
        return f"{values.mean():.4f}"
    low, high = student_interval(values, 0.95)
    return f"{values.mean():.4f} ± {(high - low) / 2:.4f}"


def _chosen(studies: dict[tuple[str, int | None], Rows]) -> list[str]:
    """Return the setting of each study that had something to tune."""
    lines = [
        f"{method}, {width or '–'}: " + ", ".join(f"{name} {_short(value)}" for name, value in parameters.items())
        for (method, width), mine in studies.items()
        if (parameters := mine[0]["parameters"])
    ]
    return ["", "chosen by tuning:", *lines] if lines else []


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _notes(plan: Plan, store: Store, finals: int) -> list[str]:
    from evenrank.benchmark.plan import widths

    wanted = plan.repeats * sum(len(widths(plan, each)) for each in plan.methods)
    notes = [f"uneven: {line}" for line in plan.uneven]
    if finals < wanted:
        notes.append(f"{wanted - finals} of {wanted} final runs are missing")
    for study, settings in store.openings(plan).items():
        if len(settings) > 1:
            notes.append(f"{study}: the test set was opened with {len(settings)} different settings")
    return ["", *notes] if notes else []
