"""How long a plan will take: from jobs of its kind that are done, here or in another plan, or from one fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from evenrank.benchmark import parts
from evenrank.benchmark.jobs import Job, Kind, Outcomes, Task
from evenrank.benchmark.plan import Plan, widths
from evenrank.benchmark.store import Store

Seconds = Mapping[tuple[str, int | None, Kind], float]  # of one job, by method's title, width and kind


class Share(NamedTuple):
    """The jobs of one kind that a study has left, and the seconds that one takes; None: unknown."""

    method: str
    width: int | None
    kind: Kind
    jobs: int
    seconds: float | None


def shares(plan: Plan, folds: int, done: Outcomes, mine: Seconds, others: Seconds) -> list[Share]:
    """Return what is left of a plan; `mine` are seconds of its own jobs, `others` of jobs elsewhere."""
    found = []
    for method, width, kind, jobs in _left(plan, folds, done):
        known = (_nearest(seconds, method, width, kind) for seconds in (mine, others))
        found.append(Share(method, width, kind, jobs, next((each for each in known if each is not None), None)))
    return found


def total(left: list[Share], workers: int) -> float | None:
    """Return how many seconds all shares take on so many workers; None if one of them is unknown.

    >>> total([Share("itq", 8, "tune", 10, 2.0), Share("itq", 8, "final", 2, 5.0)], 2)
    15.0
    """
    seconds = 0.0
    for share in left:
        if share.jobs and share.seconds is None:
            return None
        seconds += share.jobs * (share.seconds or 0.0)
    return seconds / workers


def elsewhere(plan: Plan, store: Store) -> dict[tuple[str, int | None, Kind], float]:
    """Return seconds of jobs that other plans of the store did with the same methods on the same data."""
    titles = {each.name: each.title for each in plan.methods}
    found: dict[tuple[str, int | None, Kind], float] = {}
    for other in store.plans().values():
        if other.hash == plan.hash or (other.dataset, other.protocol) != (plan.dataset, plan.protocol):
            continue
        names = {each.title: each.name for each in other.methods}
        for (title, width, kind), seconds in store.seconds(other).items():
            if names.get(title) in titles:
                found[titles[names[title]], width, kind] = seconds
    return found


def timed(plan: Plan, folder: Path) -> dict[tuple[str, int | None, Kind], float]:
    """Return seconds of one fit a method on the first fold, at its defaults and its largest width.

    A final run fits as many models as there are training parts. A method that fails is left out.
    """
    from evenrank.benchmark.child import Child
    from evenrank.benchmark.runner import _cut, _work, forking

    context = forking(plan)
    _cut(plan, folder)
    models = len({split.name.partition(", part")[0] for split in parts.known(folder).folds})
    found: dict[tuple[str, int | None, Kind], float] = {}
    for compared in plan.methods:
        width = max(widths(plan, compared), key=lambda each: each or 0)
        task = Task(Job("tune", compared.title, width, 0), {})
        report = Child(context, _work, plan, task, folder).answer()
        if not report.traceback:
            found[compared.title, width, "tune"] = report.seconds
            found[compared.title, width, "final"] = report.seconds * models
    return found


def _left(plan: Plan, folds: int, done: Outcomes) -> Iterator[tuple[str, int | None, Kind, int]]:
    """Yield how many jobs of each kind every study has left; a trial with a failed fold has none."""
    for compared in plan.methods:
        for width in widths(plan, compared):
            tuning = 0
            for number in range(plan.trials(compared)):
                keys = [Job("tune", compared.title, width, number, fold).key for fold in range(folds)]
                known = [done[key].value for key in keys if key in done]
                tuning += 0 if None in known else folds - len(known)
            finals = [Job("final", compared.title, width, number).key for number in range(plan.repeats)]
            yield compared.title, width, "tune", tuning
            yield compared.title, width, "final", sum(key not in done for key in finals)


def _nearest(seconds: Seconds, method: str, width: int | None, kind: Kind) -> float | None:
    """Return the seconds of such a job, or the mean over the method's other widths."""
    if (method, width, kind) in seconds:
        return seconds[method, width, kind]
    alike = [value for (name, _, what), value in seconds.items() if (name, what) == (method, kind)]
    return fmean(alike) if alike else None
