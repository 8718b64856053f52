"""How far a plan is, study by study, from its store alone."""

from __future__ import annotations

from statistics import fmean
from typing import Any, NamedTuple

from evenrank.benchmark.plan import Plan, widths
from evenrank.benchmark.store import Store

Rows = list[dict[str, Any]]


class Standing(NamedTuple):
    """A method at one width: trials and repeats, done and of how many, the best value so far with its setting.

    `best` is by the tuning metric, over folds; `openings` counts the settings with which the test set was opened.
    """

    method: str
    width: int | None
    tried: int
    trials: int
    repeated: int
    repeats: int
    best: float | None
    setting: dict[str, Any]
    failed: int
    openings: int
    seconds: float


def standings(plan: Plan, store: Store) -> list[Standing]:
    """Return all studies in the order of the plan."""
    rows, opened = store.rows(plan), store.openings(plan)
    folds = 1 + max((row["fold"] for row in rows), default=0)
    found = []
    for compared in plan.methods:
        for width in widths(plan, compared):
            mine = [row for row in rows if (row["method"], row["width"]) == (compared.title, width)]
            trials = [row for row in mine if row["kind"] == "tune"]
            finals = [row for row in mine if row["kind"] == "final"]
            value, setting = max(_tried(trials, folds), key=lambda trial: trial[0], default=(None, {}))
            found.append(
                Standing(
                    compared.title,
                    width,
                    _ended(trials, folds, bool(finals)),
                    plan.trials(compared),
                    len(finals),
                    plan.repeats,
                    value,
                    setting,
                    sum(row["value"] is None for row in mine),
                    len(opened.get(f"{compared.title}/{width or '-'}", ())),
                    sum(row["seconds"] for row in mine),
                )
            )
    return found


class Trial(NamedTuple):
    """A trial that is over: its setting, the values of its folds, their mean (None: failed or given up), its time."""

    number: int
    parameters: dict[str, Any]
    folds: dict[int, float | None]
    value: float | None
    seconds: float

    @property
    def state(self) -> str:
        """Return how it ended, in optuna's words."""
        return "FAIL" if None in self.folds.values() else "PRUNED" if self.value is None else "COMPLETE"


def history(plan: Plan, store: Store, method: str, width: int | None) -> list[Trial]:
    """Return the trials of a study that are over."""
    rows = store.rows(plan)
    mine = [row for row in rows if (row["method"], row["width"]) == (method, width)]
    trials = [row for row in mine if row["kind"] == "tune"]
    folds = 1 + max((row["fold"] for row in rows), default=0)
    found = []
    for number in range(_ended(trials, folds, len(trials) < len(mine))):
        done = [row for row in trials if row["number"] == number]
        means = _tried(done, folds)
        values = {row["fold"]: row["value"] for row in done}
        seconds = sum(row["seconds"] for row in done)
        found.append(Trial(number, done[0]["parameters"], values, means[0][0] if means else None, seconds))
    return found


def _ended(trials: Rows, folds: int, over: bool) -> int:
    """Return how many trials are over: all but the last, and that too if it is complete, failed or given up."""
    last = max((row["number"] for row in trials), default=-1)
    values = [row["value"] for row in trials if row["number"] == last]
    return last + 1 if over or None in values or len(values) == folds else max(last, 0)


def _tried(rows: Rows, folds: int) -> list[tuple[float, dict[str, Any]]]:
    """Return mean and setting of the trials all of whose folds have a value."""
    trials: dict[int, Rows] = {}
    for row in rows:
        trials.setdefault(row["number"], []).append(row)
    return [
        (fmean(row["value"] for row in mine), mine[0]["parameters"])
        for _, mine in sorted(trials.items())
        if len(mine) == folds and all(row["value"] is not None for row in mine)
    ]
