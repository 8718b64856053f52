"""The table of a plan, from its store alone: means and intervals over repeats, who is level with the best, and notes.

Repeats differ by their seeds, so an interval says what another seed would change, on these queries. What other queries
would change is for `evenrank compare` to say.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from evenrank.benchmark.plan import Plan, tuned, widths
from evenrank.benchmark.provenance import gathered
from evenrank.benchmark.store import Store
from evenrank.intervals import half_over_repeats
from evenrank.significance.comparison import plain
from evenrank.significance.tables import Form, Table, rendered

CONFIDENCE = 0.95
Rows = list[dict[str, Any]]


class Line(NamedTuple):
    """A method at one width, one thing that was searched, the values of each repeat by metric, and where it is best.

    `level` are the metrics by which no method of the same width is better beyond the intervals of both.
    """

    method: str
    width: int | None
    searched: str
    values: dict[str, np.ndarray]
    level: frozenset[str] = frozenset()

    @property
    def repeats(self) -> int:
        """How many repeats have values."""
        return len(next(iter(self.values.values())))


def table(plan: Plan, store: Store, form: Form = "text") -> str:
    """Return the table of the final runs and of the settings that tuning chose, and notes below."""
    rows = store.rows(plan)
    found, below = lines(plan, rows), notes(plan, store, rows)
    if not found:
        return "\n".join(["no final run is done yet", *below])
    if any(line.level for line in found):
        below.insert(0, "* not told apart from the best of its group by the repeats (Welch's 95 % interval)")
    return rendered([_results(plan, found), *_chosen(plan, rows)], [below] if below else [], form)


def record(plan: Plan, store: Store) -> dict[str, Any]:
    """Return the same for programs, with every repeat's value, and with what the jobs ran."""
    rows = store.rows(plan)
    ran = gathered(rows)
    found = {
        "plan": plan.hash,
        **{name: getattr(plan, name) for name in ("title", "dataset", "protocol", "judge")},
        "rows": [
            {**line._asdict(), "values": {name: each.tolist() for name, each in line.values.items()}}
            | {"level": sorted(line.level), "mean": {name: float(each.mean()) for name, each in line.values.items()}}
            for line in lines(plan, rows)
        ],
        "chosen": [
            {"method": method, "width": width, "parameters": setting} for (method, width), setting in _settings(rows)
        ],
        "notes": notes(plan, store, rows),
        "provenance": {name: getattr(ran, name) for name in ("data", "libraries", "python", "machines")},
    }
    return plain(found)


def lines(plan: Plan, rows: Rows) -> list[Line]:
    """Return a line for each study and each thing that was searched: width by width, the best first."""
    values: dict[tuple[str, int | None, str], list[dict[str, float]]] = {}
    for row in rows:
        for searched, metrics in row["metrics"].items() if row["kind"] == "final" else ():
            values.setdefault((row["method"], row["width"], searched), []).append(metrics)
    found = [
        Line(*study, {name: np.array([each[name] for each in repeats]) for name in plan.metrics})
        for study, repeats in values.items()
    ]
    found.sort(key=lambda line: (line.width or 0, line.searched, -line.values[plan.metrics[0]].mean(), line.method))
    groups = groupby(found, key=lambda line: (line.width, line.searched))
    return [line for _, group in groups for line in _level(list(group))]


def interval(values: np.ndarray) -> str:
    """Return mean ± Student's half-width at 95 %; the mean alone where there is one value, or all are alike.

    >>> interval(np.array([0.5, 0.5, 0.6])), interval(np.array([0.5, 0.5, 0.5]))
    ('0.5333 ± 0.1434', '0.5000')
    """
    half = half_over_repeats(values, CONFIDENCE)
    return f"{values.mean():.4f}" + ("" if math.isnan(half) else f" ± {half:.4f}")


def alike(first: np.ndarray, second: np.ndarray) -> bool:
    """Return whether Welch's interval of the difference of two means holds 0; each needs two values or more.

    >>> alike(np.array([0.5, 0.6]), np.array([0.5, 0.7])), alike(np.array([0.5, 0.5]), np.array([0.6, 0.6]))
    (True, False)
    """
    errors = [each.var(ddof=1) / len(each) for each in (first, second)]
    gap, error = abs(first.mean() - second.mean()), sum(errors)
    if error == 0:
        return bool(gap == 0)
    freedom = error**2 / sum(each**2 / (len(values) - 1) for each, values in zip(errors, (first, second), strict=True))
    return bool(gap <= stdtrit(freedom, (1 + CONFIDENCE) / 2) * math.sqrt(error))


def notes(plan: Plan, store: Store, rows: Rows) -> list[str]:
    """Return what a reader must know: who had more, what is missing or failed, what leaks, what was opened twice."""
    finals = [row for row in rows if row["kind"] == "final"]
    wanted = plan.repeats * sum(len(widths(plan, each)) for each in plan.methods)
    failed = sum(not row["metrics"] for row in finals)
    return [
        *(f"uneven: {line}" for line in plan.uneven),
        *([f"{wanted - len(finals)} of {wanted} final runs are missing"] if len(finals) < wanted else []),
        *([f"{failed} of {wanted} final runs failed"] if failed else []),
        *sorted({line for row in finals for line in row["provenance"].get("leaks", ())}),
        *(
            f"{study}: the test set was opened with {len(settings)} different settings"
            for study, settings in store.openings(plan).items()
            if len(settings) > 1
        ),
    ]


def _level(group: list[Line]) -> Iterator[Line]:
    """Yield the lines of a group with the metrics by which each is level with the best; repeats are needed."""
    for line in group:
        level = set()
        for name, mine in line.values.items():
            best = max((other.values[name] for other in group), key=lambda values: values.mean())
            if min(len(mine), len(best)) > 1 and len(group) > 1 and alike(mine, best):
                level.add(name)
        yield line._replace(level=frozenset(level))


def _results(plan: Plan, found: list[Line]) -> Table:
    cells = [
        [
            line.method,
            str(line.width or "–"),
            line.searched,
            *(interval(line.values[name]) + " *" * (name in line.level) for name in plan.metrics),
            str(line.repeats),
        ]
        for line in found
    ]
    return Table(["method", "width", "searched", *plan.metrics, "repeats"], cells, left=3)


def _chosen(plan: Plan, rows: Rows) -> list[Table]:
    """Return the table of what tuning chose, beside the range it chose from; none if nothing was tuned."""
    spaces = {each.title: tuned(plan, each) for each in plan.methods}
    cells = [
        [method, str(width or "–"), name, _short(value), " … ".join((_short(search[0]), _short(search[-1])))]
        for (method, width), setting in _settings(rows)
        for name, value in setting.items()
        for search in [spaces[method][name].search or (value,)]
    ]
    return (
        [Table([f"tuned on {plan.dataset}", "width", "keyword", "chosen", "searched"], cells, left=3)] if cells else []
    )


def _settings(rows: Rows) -> list[tuple[tuple[str, int | None], dict[str, Any]]]:
    """Return the setting of every study that has final runs, the one of its first repeat."""
    finals = sorted((row for row in rows if row["kind"] == "final"), key=lambda row: row["number"])
    settings: dict[tuple[str, int | None], dict[str, Any]] = {}
    for row in finals:
        settings.setdefault((row["method"], row["width"]), row["parameters"])
    return sorted(settings.items(), key=lambda item: (item[0][1] or 0, item[0][0]))


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
