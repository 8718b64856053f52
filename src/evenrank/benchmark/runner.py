"""Run what is missing of a plan, in parallel, until nothing is.

Each job has a process of its own, forked from one that has the heavy imports done: it starts in a moment, its limits
are its own, and no job leaves anything behind for the next. A job is claimed in the store before it runs, so that
several runners, on one machine or on many, share a plan. Whoever is killed loses the job it was at, and nothing else.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from evenrank.benchmark import parts
from evenrank.benchmark.jobs import Task, count, ready
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Report, Store

LEASE = 60.0  # seconds for which a claim holds if nobody renews it
ATTEMPTS = 3  # processes that may die over one job before it counts as failed
POLL = 1.0  # seconds between two looks at what other runners have done
HEAVY = ["evenrank.benchmark.work", "torch", "sklearn.linear_model", "scipy.optimize", "numba"]


class Progress(NamedTuple):
    """How far a plan is: jobs done and in all, how many of them failed, the best value so far of each study."""

    done: int
    total: int
    failed: int
    best: dict[str, float]


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
    context = get_context("forkserver")
    context.set_forkserver_preload(HEAVY)
    _prepared(plan, folder)
    store.add(plan)
    runner = _Runner(plan, store, folder, uuid.uuid4().hex, lease)
    renewing = Event()
    renewal = Thread(target=runner.renew, args=(renewing,), daemon=True)
    renewal.start()
    try:
        while not runner.finished:
            with ProcessPoolExecutor(workers, mp_context=context, max_tasks_per_child=1) as pool:
                runner.drive(pool, workers, progress)
    finally:
        renewing.set()
        renewal.join()
        store.release(plan, runner.name)
    return runner.state()


class _Runner:
    def __init__(self, plan: Plan, store: Store, folder: Path, name: str, lease: float) -> None:
        self.plan, self.store, self.folder, self.name, self.lease = plan, store, folder, name, lease
        self.folds = parts.about(folder)["folds"]
        self.running: dict[Future[Report], Task] = {}
        self.deaths: dict[str, int] = {}
        self.finished = False

    def renew(self, ended: Event) -> None:
        """Keep this runner's claims until it ends."""
        while not ended.wait(self.lease / 3):
            self.store.renew(self.plan, self.name, self.lease)

    def drive(self, pool: ProcessPoolExecutor, workers: int, progress: Callable[[Progress], None] | None) -> None:
        """Hand out jobs and take in reports until all is done, or until a process dies and takes the pool with it."""
        try:
            while True:
                waiting = self._submit(pool, workers)
                if progress:
                    progress(self.state())
                if not self.running:
                    if not waiting:
                        self.finished = True
                        return
                    time.sleep(POLL)  # others are at what is left
                    continue
                ended, _ = wait(self.running, timeout=POLL, return_when=FIRST_COMPLETED)
                for future in ended:
                    self._take(future)
        except BrokenProcessPool:
            self._bury()

    def _submit(self, pool: ProcessPoolExecutor, workers: int) -> bool:
        """Start jobs on free workers; return whether any job is left that is not done."""
        mine = {task.job.key for task in self.running.values()}
        tasks = list(ready(self.plan, self.store.outcomes(self.plan), self.folds))
        for task in tasks:
            if len(self.running) >= workers:
                break
            if task.job.key not in mine and self.store.claim(self.plan, task.job, self.name, self.lease):
                if task.job.kind == "final":
                    self.store.open_test(self.plan, task.job, task.parameters)
                self.running[pool.submit(_work, self.plan, task, self.folder)] = task
        return bool(tasks)

    def _take(self, future: Future[Report]) -> None:
        report = future.result()
        task = self.running.pop(future)
        self.store.finish(self.plan, task.job, task.parameters, report)

    def _bury(self) -> None:
        """Count who was running when a process died; a job that outlives no process is failed."""
        for future, task in self.running.items():
            done = future.done() and not future.cancelled() and future.exception() is None
            if done:
                self.store.finish(self.plan, task.job, task.parameters, future.result())
                continue
            self.deaths[task.job.key] = self.deaths.get(task.job.key, 0) + 1
            if self.deaths[task.job.key] >= ATTEMPTS:
                died = Report(None, {}, {}, 0.0, {}, f"the job's process died {ATTEMPTS} times\n")
                self.store.finish(self.plan, task.job, task.parameters, died)
        self.running = {}

    def state(self) -> Progress:
        """Return how far the plan is."""
        rows = self.store.rows(self.plan)
        best: dict[str, float] = {}
        for row in rows:
            if row["value"] is not None:
                study = f"{row['method']}/{row['width'] or '-'}"
                best[study] = max(best.get(study, row["value"]), row["value"])
        failed = sum(bool(row["traceback"]) for row in rows)
        return Progress(len(rows), count(self.plan, self.folds), failed, best)


def _prepared(plan: Plan, folder: Path) -> None:
    """Cut the data in a process of its own, which takes the test rows with it when it ends."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(parts.prepare, plan, folder).result()


def _work(plan: Plan, task: Task, folder: Path) -> Report:
    """Run one job in this process, on one thread, so that its numbers do not depend on who else runs."""
    import torch
    from threadpoolctl import threadpool_limits

    from evenrank.benchmark.work import work

    os.environ["LOKY_MAX_CPU_COUNT"] = "1"  # else joblib starts a process to count cores
    torch.set_num_threads(1)
    with threadpool_limits(1):
        return work(plan, task, folder)
