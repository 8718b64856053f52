"""Run what is missing of a plan, in parallel, until nothing is.

Each job has a process of its own, forked from one that has the heavy imports done: it starts in a moment, its limits
are its own, and no job leaves anything behind for the next. A job is claimed in the store before it runs, so that
several runners, on one machine or on many, share a plan. Whoever is killed loses the job it was at, and nothing else.

A job whose process dies is tried again; after some deaths in one runner it counts as failed. The count is the
runner's: who is resumed begins anew, so that a machine that was switched off three times blames no method for it.
"""

from __future__ import annotations

import os
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from evenrank.benchmark import parts
from evenrank.benchmark.child import Child, Died, ended
from evenrank.benchmark.jobs import Outcomes, Settings, Task, count, ready
from evenrank.benchmark.plan import Plan, entry
from evenrank.benchmark.store import Report, Store

LEASE = 60.0  # seconds for which a claim holds if nobody renews it
ATTEMPTS = 3  # processes that may die over one job before it counts as failed
POLL = 1.0  # seconds between two looks at what other runners have done
GRACE = 10.0  # seconds beyond the plan's limit after which a job that does not stop is killed
WORK = (  # imported once
    "evenrank.benchmark.work",
    "evenrank.kernels.cpu.loaded",
    "sklearn.linear_model",
    "scipy.optimize",
)


class Progress(NamedTuple):
    """How far a plan is: jobs done and in all, how many failed, each study's best value so far, folds of a trial."""

    done: int
    total: int
    failed: int
    best: dict[str, float]
    folds: int


def run(
    plan: Plan,
    store: Store,
    workspace: Path,
    *,
    workers: int = 1,
    lease: float = LEASE,
    progress: Callable[[Progress], None] | None = None,
) -> Progress:
    """Do all missing jobs of a plan and return how it went; Ctrl-C ends it, and the store can be resumed."""
    folder = workspace / plan.hash[:16]
    context = forking(plan)
    _cut(plan, folder)
    store.add(plan)
    runner = _Runner(plan, store, folder, workers, context)
    with _claimed(plan, store, runner.name, lease):
        try:
            while runner.start(lease) or runner.running:
                if progress:
                    progress(runner.state())
                runner.take_in()
        finally:
            for child in runner.running:
                child.end()
    return runner.state()


class _Runner:
    def __init__(self, plan: Plan, store: Store, folder: Path, workers: int, context: ForkServerContext) -> None:
        self.plan, self.store, self.folder, self.workers = plan, store, folder, workers
        self.name = uuid.uuid4().hex
        self.folds = parts.about(folder)["folds"]
        self.context = context
        self.running: dict[Child, Task] = {}
        self.deaths: dict[str, int] = {}
        self.done: Outcomes = {}
        self.settings: Settings = {}

    def start(self, lease: float) -> bool:
        """Start jobs on free workers; return whether any job is left that is not done."""
        mine = {task.job.key for task in self.running.values()}
        self.done = self.store.outcomes(self.plan)
        left = False
        for task in ready(self.plan, self.done, self.folds, self.settings):
            left = True
            if len(self.running) >= self.workers:
                break
            if task.job.key not in mine and self.store.claim(self.plan, task.job, self.name, lease):
                self._run(task)
        return left

    def _run(self, task: Task) -> None:
        if task.job.kind == "final":
            self.store.open_test(self.plan, task.job, task.parameters)
        try:
            self.running[Child(self.context, _work, self.plan, task, self.folder)] = task
        except (EOFError, OSError) as error:  # the process that forks was killed; the next start has a new one
            self._bury(task, str(error) or "could not be started")

    def take_in(self) -> None:
        """Wait for jobs to end, or for other runners to get on, and keep what they report."""
        if not self.running:
            time.sleep(POLL)  # others are at what is left
            return
        for child in ended(self.running, POLL):
            task = self.running[child]
            try:
                self._finish(task, child.answer())
            except Died as death:
                self._bury(task, str(death))
            del self.running[child]
        limit = self.plan.limits.seconds
        for child in [each for each in self.running if limit and time.monotonic() - each.began > limit + GRACE]:
            child.end()
            self._finish(self.running.pop(child), _failed("the job took longer than the plan's limit, and went on"))

    def _bury(self, task: Task, how: str) -> None:
        """Count a death; a job that no process outlives has failed."""
        self.deaths[task.job.key] = self.deaths.get(task.job.key, 0) + 1
        if self.deaths[task.job.key] >= ATTEMPTS:
            self._finish(task, _failed(f"the job's process died {ATTEMPTS} times, at last by {how}"))

    def _finish(self, task: Task, report: Report) -> None:
        self.store.finish(self.plan, task.job, task.parameters, report)

    def state(self) -> Progress:
        """Return how far the plan is."""
        best: dict[str, float] = {}
        for key, outcome in self.done.items():
            if outcome.value is not None:
                study = key.partition("/trial ")[0].partition("/repeat ")[0]
                best[study] = max(best.get(study, outcome.value), outcome.value)
        failed = sum(outcome.value is None for outcome in self.done.values())
        return Progress(len(self.done), count(self.plan, self.folds), failed, best, self.folds)


def forking(plan: Plan) -> ForkServerContext:
    """Return what starts workers: copies of a process that imports, from now on, all that the plan's methods need."""
    methods = [entry(each).module for each in plan.methods]
    context = get_context("forkserver")
    context.set_forkserver_preload(["evenrank.benchmark.runner", *WORK, *methods, "evenrank.benchmark.optimisers"])
    ensure_running()
    return context


@contextmanager
def _claimed(plan: Plan, store: Store, runner: str, lease: float) -> Iterator[None]:
    """Keep a runner's claims while it is at work, and give them back."""
    done = Event()

    def renew() -> None:
        while not done.wait(lease / 3):
            with suppress(ValueError):  # a store that is locked for a moment; if it stays so, the runner will say it
                store.renew(plan, runner, lease)

    renewal = Thread(target=renew, daemon=True)
    renewal.start()
    try:
        yield
    except BaseException:
        with suppress(ValueError):  # what went wrong first is what is told
            store.release(plan, runner)
        raise
    else:
        store.release(plan, runner)
    finally:
        done.set()
        renewal.join()


def _cut(plan: Plan, folder: Path) -> None:
    """Cut the data in a process of its own, which takes the test rows with it when it ends."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        Child(get_context("spawn"), parts.prepare, plan, folder).answer()
    except Died as death:
        raise ValueError(f"{plan.dataset}: the process that cuts the data died: {death}") from None


def _failed(why: str) -> Report:
    return Report(None, {}, {}, 0.0, {}, f"{why}\n")


def _work(plan: Plan, task: Task, folder: Path) -> Report:
    """Run one job in this process, on one thread, so that its numbers do not depend on who else runs."""
    import numba
    from threadpoolctl import threadpool_limits

    from evenrank.benchmark.work import work

    os.environ["LOKY_MAX_CPU_COUNT"] = "1"  # else joblib starts a process to count cores
    os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"  # for libraries that a method loads later
    numba.set_num_threads(1)  # starts numba's threads, and with them a library of OpenMP that is to be limited too
    with threadpool_limits(1):
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(1)
        return work(plan, task, folder)
