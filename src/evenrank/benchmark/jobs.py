"""The jobs of a plan, and which of them can run now.

A method at one width is a *study*: its trials come one after another, because each is proposed from those before it;
the folds of a trial, the repeats of the final setting, and the studies themselves do not depend on each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import fmean, median
from typing import Any, Literal, NamedTuple

from evenrank.benchmark.plan import Compared, Plan, tuned, widths
from evenrank.tuning import Tried, best, propose, seed_of

Kind = Literal["tune", "final"]


class Job(NamedTuple):
    """One fit and its numbers: a fold of a trial, or a repeat of the final setting."""

    kind: Kind
    method: str  # its title in the plan
    width: int | None
    number: int  # of the trial or the repeat
    fold: int = 0

    @property
    def key(self) -> str:
        """What the job is stored under."""
        place = f"trial {self.number}/fold {self.fold}" if self.kind == "tune" else f"repeat {self.number}"
        return f"{self.method}/{self.width or '-'}/{place}"


class Outcome(NamedTuple):
    """What is stored of a job: the setting, and the value that tuning judges by; None: it failed."""

    parameters: dict[str, Any]
    value: float | None


Outcomes = Mapping[str, Outcome]
Settings = dict[str, dict[str, Any]]  # by the key of a trial's first fold


class Task(NamedTuple):
    """A job and the setting it runs with."""

    job: Job
    parameters: dict[str, Any]


def ready(plan: Plan, done: Outcomes, folds: int, settings: Settings | None = None) -> Iterator[Task]:
    """Yield what can run now: the missing folds of each study's next trial, or the missing repeats of its best.

    Who asks again and again passes `settings`, a dictionary in which proposals are kept: each is made once.
    """
    for compared in plan.methods:
        for width in widths(plan, compared):
            yield from _Study(plan, compared, width, folds, {} if settings is None else settings).ready(done)


def count(plan: Plan, folds: int) -> int:
    """Return how many jobs the plan has, if no trial is given up."""
    return sum(
        len(widths(plan, compared)) * (plan.trials(compared) * folds + plan.repeats) for compared in plan.methods
    )


class _Study(NamedTuple):
    plan: Plan
    compared: Compared
    width: int | None
    folds: int
    settings: Settings

    def ready(self, done: Outcomes) -> list[Task]:
        tried: list[Tried] = []
        for number in range(self.plan.trials(self.compared)):
            jobs = [Job("tune", self.compared.title, self.width, number, fold) for fold in range(self.folds)]
            known = [done[job.key] for job in jobs if job.key in done]
            parameters = known[0].parameters if known else self._proposed(tried, jobs[0])
            missing = self._missing(jobs, done, tried)
            if missing:
                return [Task(job, parameters) for job in missing]
            values = [outcome.value for outcome in known]
            complete = len(values) == self.folds and None not in values
            tried.append(Tried(parameters, fmean(v for v in values if v is not None) if complete else None))
        finals = [Job("final", self.compared.title, self.width, repeat) for repeat in range(self.plan.repeats)]
        return [Task(job, best(tried)) for job in finals if job.key not in done]

    def _missing(self, jobs: list[Job], done: Outcomes, tried: list[Tried]) -> list[Job]:
        """Return the folds of a trial that are still to run; with pruning one at a time, and none once it is given up.

        A failed fold ends the trial.
        """
        values = [done[job.key].value for job in jobs if job.key in done]
        missing = [job for job in jobs if job.key not in done]
        if None in values or not self.plan.tuning.prune:
            return [] if None in values else missing
        return [] if values and self._hopeless(values, jobs, done) else missing[:1]

    def _hopeless(self, values: list[float | None], jobs: list[Job], done: Outcomes) -> bool:
        """Return whether the mean so far is below the median of the earlier trials after as many folds."""
        earlier = []
        for number in range(jobs[0].number):
            outcomes = [done.get(job._replace(number=number).key) for job in jobs[: len(values)]]
            if all(outcome is not None and outcome.value is not None for outcome in outcomes):
                earlier.append(fmean(outcome.value for outcome in outcomes))  # type: ignore[union-attr, misc]
        return bool(earlier) and fmean(value for value in values if value is not None) < median(earlier)

    def _proposed(self, tried: list[Tried], job: Job) -> dict[str, Any]:
        if job.key not in self.settings:
            seed = seed_of(self.plan.seed, self.compared.title, self.width, job.number)
            space = tuned(self.plan, self.compared)
            self.settings[job.key] = propose(space, tried, self.plan.tuning.sampler, seed)
        return self.settings[job.key]
