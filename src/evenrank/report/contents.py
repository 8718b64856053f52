"""What a store holds of a plan, as plain values: everything that a report shows comes from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any

import numpy as np

from evenrank.benchmark.compared import runs
from evenrank.benchmark.plan import Compared, Plan, entry, widths
from evenrank.benchmark.provenance import Provenance, gathered
from evenrank.benchmark.store import Store, setting
from evenrank.metric import parse
from evenrank.report.claims import Claim
from evenrank.report.study import Failure, Missing, Opening, Study, Trial

Row = dict[str, Any]
Exhibits = Mapping[str, Mapping[str, Any]]  # of a job's key, by name


@dataclass(frozen=True, eq=False)
class Contents:
    """A plan and what is stored of it. `items` are the pictures and texts of the gallery: modality -> row -> item."""

    title: str
    plan: Plan
    studies: tuple[Study, ...]
    trials: tuple[Trial, ...]
    openings: tuple[Opening, ...]
    failed: tuple[Failure, ...]
    missing: tuple[Missing, ...]
    provenance: Provenance
    items: dict[str, dict[str, Any]]
    claims: tuple[Claim, ...] = ()

    @property
    def searched(self) -> tuple[str, ...]:
        """Return the things that were searched, in the order of the store."""
        return tuple(dict.fromkeys(study.searched for study in self.studies))


def chosen(store: Store, wanted: str = "") -> tuple[Plan, ...]:
    """Return the plans of a store, or those whose title or hash (its beginning) is `wanted`."""
    plans = store.plans()
    for key, plan in plans.items():
        if key != plan.hash:
            raise ValueError(
                f"{store.address}: another version of evenrank wrote {plan.title!r}, and knew it as {key[:8]}"
            )
    fits = tuple(plan for key, plan in plans.items() if not wanted or wanted == plan.title or key.startswith(wanted))
    if not fits:
        listed = ", ".join(f"{plan.title} ({key[:8]})" for key, plan in plans.items())
        raise ValueError(f"{store.address}: plan must be one of {listed}; got {wanted!r}")
    return fits


def read(store: Store, plan: Plan, claims: tuple[Claim, ...] = ()) -> Contents:
    """Return what a store holds of a plan, finished or not."""
    with store.undamaged(ValueError):
        rows, exhibits = store.rows(plan), store.exhibits(plan)
        labels = _labels(plan)
        return Contents(
            title=plan.title,
            plan=plan,
            studies=tuple(_studies(store, plan, labels, rows, exhibits)),
            trials=tuple(_trials(labels, rows)),
            openings=tuple(_openings(store, plan, rows)),
            failed=tuple(_failures(rows)),
            missing=tuple(_missing(plan, labels, rows)),
            provenance=gathered(rows),
            items=_items(exhibits),
            claims=claims,
        )


def _labels(plan: Plan) -> dict[str, str]:
    """Return what people call each method: its label, or its class's title where no other method has the same."""
    found = {each.title: each.label or str(entry(each).constants.get("title", each.title)) for each in plan.methods}
    return {title: label if [*found.values()].count(label) == 1 else title for title, label in found.items()}


def _studies(store: Store, plan: Plan, labels: dict[str, str], rows: list[Row], exhibits: Exhibits) -> Iterator[Study]:
    """Yield one study for each method, width and thing searched, in the plan's order; failed repeats are left out."""
    good: dict[tuple[str, int | None], list[Row]] = {}
    for row in rows:
        if row["kind"] == "final" and row["metrics"]:
            good.setdefault((row["method"], row["width"]), []).append(row)

    @cache
    def of_all_jobs(searched: str, metric: str) -> dict[str, np.ndarray]:
        return runs(plan, store, searched, metric)

    def read_queries(searched: str, metric: str, keys: list[str]) -> np.ndarray:
        if parse(metric).reads == "clusters":
            return np.empty((len(keys), 0))
        with store.undamaged(ValueError):
            found = of_all_jobs(searched, metric)
            return np.concatenate([found[key] for key in keys])

    for compared in plan.methods:
        for width in widths(plan, compared):
            mine = sorted(good.get((compared.title, width), []), key=lambda row: row["number"])
            for what in mine[0]["metrics"] if mine else ():
                yield _study(plan.metrics, compared, labels[compared.title], what, mine, exhibits, read_queries)


def _study(
    metrics: tuple[str, ...],
    compared: Compared,
    label: str,
    what: str,
    mine: list[Row],
    exhibits: Exhibits,
    read_queries: Callable[[str, str, list[str]], np.ndarray],
) -> Study:
    shown = [exhibits.get(row["key"], {}) for row in mine]
    ties = [each.get("ties", {}).get(what, {}) for each in shown]

    def per_query(metric: str) -> np.ndarray:
        return read_queries(what, metric, [row["key"] for row in mine])

    return Study(
        method=compared.title,
        label=label,
        name=entry(compared).name,
        kind=entry(compared).name.split("/")[0],
        width=mine[0]["width"],
        searched=what,
        repeats=tuple(row["number"] for row in mine),
        values={name: np.array([row["metrics"][what][name] for row in mine], np.float64) for name in metrics},
        parameters=mine[0]["parameters"],
        fixed=compared.fixed,
        seconds=np.array([row["seconds"] for row in mine], np.float64),
        ties={name: _columns([each.get(name, {}) for each in ties]) for name in metrics if any(ties)},
        costs=_columns([each.get("costs", {}) for each in shown]),
        codes=_columns([each.get("codes", {}).get(what, {}) for each in shown]),
        undecided=np.array([each.get("undecided", {}).get(what, np.nan) for each in shown], np.float64),
        exhibits=_first(shown, what),
        read=per_query,
    )


def _columns(cells: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """Return the values of every name over the repeats; NaN where a repeat has none."""
    names = dict.fromkeys(name for each in cells for name in each)
    return {name: np.array([each.get(name, np.nan) for each in cells], np.float64) for name in names}


def _first(shown: list[Mapping[str, Any]], what: str) -> dict[str, Any]:
    """Return the exhibits that one repeat has left for all: of what was searched, or of the job."""
    found: dict[str, Any] = {}
    for each in shown:
        for name in ("curves", "usage", "hits", "gallery"):
            if what in each.get(name, {}):
                found.setdefault(name, each[name][what])
        for name in set(each) - {"curves", "usage", "hits", "gallery", "ties", "costs", "codes", "undecided", "items"}:
            found.setdefault(name, each[name])
    return found


def _items(exhibits: Exhibits) -> dict[str, dict[str, Any]]:
    """Return the items that galleries show, from all jobs."""
    found: dict[str, dict[str, Any]] = {}
    for shown in exhibits.values():
        for modality, items in shown.get("items", {}).items():
            found.setdefault(modality, {}).update(items)
    return found


def _trials(labels: dict[str, str], rows: list[Row]) -> Iterator[Trial]:
    """Yield the trials, each from the folds that are done."""
    folds: dict[tuple[str, int | None, int], list[Row]] = {}
    for row in rows:
        if row["kind"] == "tune":
            folds.setdefault((row["method"], row["width"], row["number"]), []).append(row)
    whole = max((len(mine) for mine in folds.values()), default=0)
    for (method, width, number), mine in sorted(
        folds.items(), key=lambda item: (item[0][0], item[0][1] or 0, item[0][2])
    ):
        values = [row["value"] for row in mine]
        value = fmean(values) if len(values) == whole and None not in values else None
        seconds = sum(row["seconds"] for row in mine)
        yield Trial(method, labels[method], width, number, mine[0]["parameters"], value, len(mine), seconds)


def _failures(rows: list[Row]) -> Iterator[Failure]:
    for row in rows:
        if row["traceback"]:
            yield Failure(row["key"], row["traceback"].strip().splitlines()[-1], row["traceback"])


def _missing(plan: Plan, labels: dict[str, str], rows: list[Row]) -> Iterator[Missing]:
    """Yield what is still to run, method by method."""
    done: dict[tuple[str, int | None], list[Row]] = {}
    for row in rows:
        done.setdefault((row["method"], row["width"]), []).append(row)
    for compared in plan.methods:
        for width in widths(plan, compared):
            mine = done.get((compared.title, width), [])
            repeats = sum(row["kind"] == "final" for row in mine)
            begun = {row["number"] for row in mine if row["kind"] == "tune"}
            trials = plan.trials(compared) - len(begun)
            if trials > 0 or repeats < plan.repeats:
                yield Missing(compared.title, labels[compared.title], width, trials, plan.repeats - repeats)


def _openings(store: Store, plan: Plan, rows: list[Row]) -> Iterator[Opening]:
    known = {setting(row["parameters"]): row["parameters"] for row in rows}
    for study, found in store.openings(plan).items():
        for name, times in found.items():
            yield Opening(study, name, times, known.get(name))
