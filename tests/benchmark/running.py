"""A runner in a process of its own, which tests kill, and who belongs to it.

python -m tests.benchmark.running PLAN STORE WORKSPACE LEASE
"""

import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sql

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.runner import run
from evenrank.benchmark.schema import claims
from evenrank.benchmark.store import Store

PATIENCE = 240.0  # seconds for which tests wait for what must happen, on a busy machine too


class Running(NamedTuple):
    process: subprocess.Popen[str]
    mark: str  # in the environment of every process that the runner starts, directly or not

    @classmethod
    def start(cls, plan: Path, store: str | Path, workspace: Path, lease: float = 2.0) -> "Running":
        mark = uuid.uuid4().hex
        command = [sys.executable, "-m", "tests.benchmark.running", plan, store, workspace, lease]
        process = subprocess.Popen(
            list(map(str, command)), env=os.environ | {"RUNNER_MARK": mark}, stderr=subprocess.PIPE, text=True
        )
        return cls(process, mark)

    def family(self) -> list[int]:
        """Return the processes of this runner that live, itself among them."""
        mark = f"RUNNER_MARK={self.mark}".encode()
        return [pid for pid in _processes() if mark in _read(pid, "environ") and _state(pid)[0] != "Z"]

    def jobs(self) -> list[int]:
        """Return the processes that are at a job: forked, and leaders of their session."""
        return [pid for pid in self.family() if b"forkserver" in _read(pid, "cmdline") and _state(pid)[3] == str(pid)]

    def wait_for_jobs(self) -> list[int]:
        """Return the processes at a job, once there is one; none if the runner has ended."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            if found := self.jobs():
                return found
            time.sleep(0.02)
        return []

    def gone(self) -> bool:
        """Wait until no process of this runner lives; return whether that came true."""
        end = time.monotonic() + PATIENCE
        while self.family() and time.monotonic() < end:
            time.sleep(0.05)
        return not self.family()


def content(store: Store, plan: Plan) -> dict[str, Any]:
    """Return all that a store must hold whatever happened: settings, values, metrics, and per-query values as bytes."""
    exhibits = store.exhibits(plan)
    whenever = {"plan", "seconds", "provenance"}
    return {
        row["key"]: (
            {name: value for name, value in row.items() if name not in whenever},
            {name: array.tobytes() for name, array in store.per_query(plan, row["key"]).items()},
            sorted(exhibits.get(row["key"], {})),
        )
        for row in store.rows(plan)
    }


def claimed(store: Store) -> dict[str, str]:
    """Return who is at which job."""
    with store.database.reading() as connection:
        return {row.key: row.runner for row in connection.execute(sql.select(claims))}


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _state(pid: int) -> list[str]:
    """Return the state of a process, its parent, group and session; a zombie's if it is gone."""
    return _read(pid, "stat").decode().rpartition(")")[2].split()[:4] or ["Z", "", "", ""]


if __name__ == "__main__":
    plan, store, workspace, lease = sys.argv[1:]
    run(Plan.read(plan), Store(store), Path(workspace), workers=2, lease=float(lease))
