"""Where results are kept: a SQLite file or a PostgreSQL database, in which a job is done whole or not at all.

A job is written in one transaction and has one key, so that nothing is lost and nothing is there twice, whoever is
killed. A claim that its holder no longer renews is free again.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import sqlalchemy as sql

from evenrank.benchmark.database import EMPTY, Database, insert
from evenrank.benchmark.jobs import Job, Kind, Outcome
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.schema import claims, exhibits, jobs, openings, plans, values

STRANGE = (AttributeError, IndexError, KeyError, TypeError)  # what reading content of another form raises
WAIT = 30  # seconds for which a locked SQLite file is waited for


class Report(NamedTuple):
    """What a job leaves: metrics by name, per-query values by metric, where and how it was made, exhibits by name."""

    value: float | None
    metrics: dict[str, Any]
    per_query: dict[str, np.ndarray]
    seconds: float
    provenance: dict[str, Any]
    traceback: str = ""
    exhibits: dict[str, Any] = {}  # noqa: RUF012  (nobody changes it, and what replaces it must pickle)


class Store:
    """Results of plans, at a path or a database address ("postgresql://…")."""

    def __init__(self, address: str | Path, *, wait: float = WAIT, make: bool = True) -> None:
        self.database = Database(address, wait, make)

    @classmethod
    def existing(cls, address: str) -> Self:
        """Return a store that is there and holds a plan; raises ValueError if it is not, and makes none."""
        if "://" not in address and not Path(address).is_file():
            raise ValueError(f"{address}: no such store; begin with evenrank bench run")
        store = cls(address, make=False)
        with store.database.reading() as connection:
            first = connection.execute(sql.select(plans.c.plan).limit(1)).first()
        if first is None:
            raise ValueError(f"{store.address}: {EMPTY}")
        return store

    @contextmanager
    def undamaged(self, *others: type[Exception]) -> Iterator[None]:
        """Turn whatever comes of content that is not as it should be, and other errors, into one line."""
        kinds: tuple[type[Exception], ...] = (*STRANGE, *others)
        try:
            yield
        except kinds as error:
            if str(error).startswith(self.address):
                raise
            line = f"{type(error).__name__} {error}".splitlines()[0]
            raise ValueError(f"{self.address}: the store is damaged: {line}") from error

    @property
    def address(self) -> str:
        """How messages call the store: its path, or its address without the password."""
        return self.database.address

    def add(self, plan: Plan) -> None:
        """Keep a plan, once."""
        content = plan.model_dump(mode="json")
        with self.database.writing() as connection:
            insert(connection, plans, {"plan": plan.hash, "title": plan.title, "content": content})

    def plans(self) -> dict[str, Plan]:
        """Return all plans by hash."""
        with self.database.reading() as connection:
            rows = connection.execute(sql.select(plans.c.plan, plans.c.content)).all()
        try:
            return {row.plan: Plan.of(row.content) for row in rows}
        except ValueError as error:  # of another version, or with a method that is not to be had here
            raise ValueError(f"{self.address}: holds a plan that cannot be read: {error}") from error

    def outcomes(self, plan: Plan) -> dict[str, Outcome]:
        """Return what is done, by key."""
        with self.database.reading() as connection:
            chosen = sql.select(jobs.c.key, jobs.c.parameters, jobs.c.value).where(jobs.c.plan == plan.hash)
            return {row.key: Outcome(row.parameters, row.value) for row in connection.execute(chosen)}

    def rows(self, plan: Plan) -> list[dict[str, Any]]:
        """Return everything about the finished jobs of a plan, by key."""
        with self.database.reading() as connection:
            chosen = sql.select(jobs).where(jobs.c.plan == plan.hash).order_by(jobs.c.key)
            return [dict(row._mapping) for row in connection.execute(chosen)]

    def seconds(self, plan: Plan) -> dict[tuple[str, int | None, Kind], float]:
        """Return the mean seconds of a plan's jobs, by method, width and kind; failed ones do not count."""
        kinds = (jobs.c.method, jobs.c.width, jobs.c.kind)
        with self.database.reading() as connection:
            chosen = sql.select(*kinds, sql.func.avg(jobs.c.seconds).label("mean"))
            chosen = chosen.where(jobs.c.plan == plan.hash, jobs.c.traceback == "").group_by(*kinds)
            return {(row.method, row.width, row.kind): float(row.mean) for row in connection.execute(chosen)}

    def per_query(self, plan: Plan, key: str) -> dict[str, np.ndarray]:
        """Return the per-query values of a final job, by metric."""
        with self.database.reading() as connection:
            chosen = sql.select(values).where(values.c.plan == plan.hash, values.c.key == key)
            return {row.metric: _array(row.content) for row in connection.execute(chosen)}

    def exhibits(self, plan: Plan) -> dict[str, dict[str, Any]]:
        """Return what final jobs left for the report, by key and name."""
        with self.database.reading() as connection:
            chosen = sql.select(exhibits).where(exhibits.c.plan == plan.hash).order_by(exhibits.c.key, exhibits.c.name)
            found: dict[str, dict[str, Any]] = {}
            for row in connection.execute(chosen):
                found.setdefault(row.key, {})[row.name] = row.content
        return found

    def queries(self, plan: Plan, metric: str) -> dict[str, np.ndarray]:
        """Return the per-query values of all final jobs by one metric, by key."""
        with self.database.reading() as connection:
            chosen = sql.select(values.c.key, values.c.content)
            chosen = chosen.where(values.c.plan == plan.hash, values.c.metric == metric)
            return {row.key: _array(row.content) for row in connection.execute(chosen)}

    def finish(self, plan: Plan, job: Job, parameters: Mapping[str, Any], report: Report) -> bool:
        """Write a finished job and end its claim, in one transaction; return whether it was the first to do so."""
        row = {
            "plan": plan.hash,
            "key": job.key,
            **job._asdict(),
            "parameters": dict(parameters),
            "value": report.value if report.value is not None and math.isfinite(report.value) else None,
            "metrics": report.metrics,
            "seconds": report.seconds,
            "traceback": report.traceback,
            "provenance": report.provenance,
        }
        with self.database.writing() as connection:
            first = insert(connection, jobs, row)
            for metric, array in report.per_query.items() if first else ():
                content = {"plan": plan.hash, "key": job.key, "metric": metric, "content": _bytes(array)}
                insert(connection, values, content)
            for name, exhibit in report.exhibits.items() if first else ():
                insert(connection, exhibits, {"plan": plan.hash, "key": job.key, "name": name, "content": exhibit})
            connection.execute(sql.delete(claims).where(claims.c.plan == plan.hash, claims.c.key == job.key))
        return first

    def forget(self, plan: Plan, failed_only: bool = False) -> int:
        """Remove the finished jobs of a plan, or the failed ones, so that they run again; return how many."""
        with self.database.writing() as connection:
            chosen = jobs.c.plan == plan.hash
            if failed_only:
                chosen &= jobs.c.traceback != ""
            keys = connection.execute(sql.select(jobs.c.key).where(chosen)).scalars().all()
            for table in (jobs, values, exhibits):
                connection.execute(sql.delete(table).where(table.c.plan == plan.hash, table.c.key.in_(keys)))
        return len(keys)

    def claim(self, plan: Plan, job: Job, runner: str, seconds: float) -> bool:
        """Return whether the job is this runner's for some seconds: nobody's yet, or its claim has run out."""
        now = time.time()
        row = {"plan": plan.hash, "key": job.key, "runner": runner, "until": now + seconds}
        mine = (claims.c.plan == plan.hash) & (claims.c.key == job.key)
        free = mine & ((claims.c.until < now) | (claims.c.runner == runner))
        done = sql.select(jobs.c.key).where(jobs.c.plan == plan.hash, jobs.c.key == job.key)
        with self.database.writing() as connection:
            if not insert(connection, claims, row):
                taken = connection.execute(sql.update(claims).where(free).values(runner=runner, until=now + seconds))
                if not taken.rowcount:
                    return False
            if connection.execute(done).first():  # looked at last: it may have been finished while we waited
                connection.execute(sql.delete(claims).where(mine))
                return False
            return True

    def renew(self, plan: Plan, runner: str, seconds: float) -> None:
        """Keep all claims of a runner for some more seconds."""
        mine = (claims.c.plan == plan.hash) & (claims.c.runner == runner)
        with self.database.writing() as connection:
            connection.execute(sql.update(claims).where(mine).values(until=time.time() + seconds))

    def release(self, plan: Plan, runner: str) -> None:
        """Give back all claims of a runner."""
        with self.database.writing() as connection:
            connection.execute(sql.delete(claims).where(claims.c.plan == plan.hash, claims.c.runner == runner))

    def open_test(self, plan: Plan, job: Job, parameters: Mapping[str, Any]) -> None:
        """Record that a final job is about to see the test set, and with which setting."""
        row = {
            "plan": plan.hash,
            "key": job.key,
            "setting": setting(parameters),
            "study": f"{job.method}/{job.width or '-'}",
            "first": time.time(),
        }
        with self.database.writing() as connection:
            insert(connection, openings, row)

    def openings(self, plan: Plan) -> dict[str, dict[str, int]]:
        """Return with which settings each study's test set was opened, and how often: several must be reported."""
        times = sql.func.count().label("times")
        chosen = sql.select(openings.c.study, openings.c.setting, times).where(openings.c.plan == plan.hash)
        grouped = chosen.group_by(openings.c.study, openings.c.setting)
        found: dict[str, dict[str, int]] = {}
        with self.database.reading() as connection:
            for row in connection.execute(grouped.order_by(openings.c.study, openings.c.setting)):
                found.setdefault(row.study, {})[row.setting] = row.times
        return found


def setting(parameters: Mapping[str, Any]) -> str:
    """Return the hash of a setting."""
    return hashlib.sha256(json.dumps(dict(parameters), sort_keys=True).encode()).hexdigest()


def _bytes(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, array)
    return buffer.getvalue()


def _array(content: bytes) -> np.ndarray:
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return np.asarray(arrays["arr_0"])
