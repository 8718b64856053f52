"""What a runner takes beside the jobs it runs: two workers, eight jobs that each compute for some ten seconds.

Overhead is (wall clock × workers − Σ seconds inside the jobs) / Σ seconds inside the jobs, counted from the moment at
which the first job can start; cutting the data and starting the process from which jobs are forked are paid once a
run, and stand by themselves.

    python benchmarks/runner_overhead.py [--jobs 8] [--seconds 10] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.machine import machine
from evenrank.method import Method
from evenrank.parameters import Integer

WORKERS = 2
PLAN = """
title = "Overhead"
dataset = "digits"
protocol = "per_class(queries=5, training=20)"
bits = [8]
metrics = ["AP"]
repeats = {jobs}

[[methods]]
name = "runner_overhead:Busy"
fixed = {{ seconds = {seconds} }}
"""


@dataclass(eq=False, repr=False, kw_only=True)
class Busy(Method):
    """Multiplies matrices until its time is over; the bits are the signs of features."""

    title = "Busy"
    bits: Annotated[int, Integer(1, 64)] = 8
    seconds: Annotated[int, Integer(0, 600)] = 10

    def learn(self, x: np.ndarray, y: Any) -> None:
        """Compute."""
        began, square = time.perf_counter(), np.eye(300)
        while time.perf_counter() - began < self.seconds:
            square = square @ square
        self.mean_ = x.mean(axis=0) + 0 * square[0, 0]

    def read(self, x: np.ndarray) -> Codes:
        """Return signs."""
        return Codes.from_signs((x - self.mean_)[:, 20 : 20 + self.bits])


def measured(jobs: int, seconds: int, folder: Path) -> dict[str, Any]:
    """Return what one run took, in seconds, and the overhead."""
    from evenrank.benchmark.plan import Plan
    from evenrank.benchmark.runner import Progress, run
    from evenrank.benchmark.store import Store

    path = folder / "plan.toml"
    path.write_text(PLAN.format(jobs=jobs, seconds=seconds), encoding="utf-8")
    plan, store = Plan.read(path), Store(folder / "store.sqlite")
    first: list[float] = []  # told for the first time when the first jobs were handed out

    def tell(progress: Progress) -> None:
        first.append(time.perf_counter())

    began = time.perf_counter()
    run(plan, store, folder / "parts", workers=WORKERS, progress=tell)
    ended = time.perf_counter()
    inside = [row["seconds"] for row in store.rows(plan)]
    wall = ended - first[0]
    return {
        "workers": WORKERS,
        "jobs": len(inside),
        "seconds in a job": sum(inside) / len(inside),
        "seconds to start": first[0] - began,
        "wall seconds": wall,
        "overhead": (wall * WORKERS - sum(inside)) / sum(inside),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--out", type=Path, help="write the result as JSON")
    arguments = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))  # where the plan finds its method
    busy = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name:
        found = measured(arguments.jobs, arguments.seconds, Path(name))
    found |= {"machine": machine(), "load before": busy}
    print(json.dumps(found, indent=1))
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
