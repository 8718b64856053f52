"""How long real-valued evaluation takes on the processor, beside what others take for less.

Two problems of the real shapes, of normalised Gaussian classes in 128 dimensions: SOP-like (60,502 items, each a query
for the others, 11,316 classes) and CIFAR-like (10,000 queries, 50,000 items, 10 classes). Contenders, each in fresh
processes, best of several runs after a warm-up on a hundredth of the queries:

- evenrank: exact, tie-aware AP, MAP@R, R-precision and precision at 1, with best, worst and spread over ties;
- faiss: an exact inner-product index, the R nearest of each query, MAP@R in numpy;
- pytorch-metric-learning: its AccuracyCalculator, MAP@R, R-precision and precision at 1;
- sort: float32 products, argsort and AP in numpy, a block of queries at a time;
- sgemm, dgemm: only the products of all pairs, which are then thrown away.

Contenders that would take minutes run on a part of the queries and are scaled up, which the table says.

    python benchmarks/embeddings_cpu.py [--quick] [--repeat 2] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evenrank.machine import machine

DIMENSIONS = 128


class Case(NamedTuple):
    """A problem: how many queries (0: every item is one), items and classes, and how far classes spread."""

    queries: int
    items: int
    classes: int
    noise: float


class Problem(NamedTuple):
    """Unit rows of float32 and labels; `own` names each query's own item, if queries are items."""

    queries: np.ndarray
    database: np.ndarray
    query_labels: np.ndarray
    labels: np.ndarray
    own: np.ndarray | None

    def part(self, share: float) -> Problem:
        """Return the problem with some of its queries, evenly spaced."""
        some = np.linspace(0, len(self.queries) - 1, max(1, round(share * len(self.queries)))).astype(int)
        own = None if self.own is None else self.own[some]
        return self._replace(queries=self.queries[some], query_labels=self.query_labels[some], own=own)


CASES = {"SOP-like": Case(0, 60_502, 11_316, 1.4), "CIFAR-like": Case(10_000, 50_000, 10, 3.0)}
QUICK = {"SOP-like": Case(0, 12_100, 2_263, 1.4), "CIFAR-like": Case(1_000, 10_000, 10, 3.0)}


def problem(case: Case, seed: int = 0) -> Problem:
    """Return queries and items around the same class centres."""
    random = np.random.default_rng(seed)
    centres = random.standard_normal((case.classes, DIMENSIONS), np.float32)

    def rows(count: int) -> tuple[np.ndarray, np.ndarray]:
        labels = random.permutation(np.arange(count) % case.classes)
        values = centres[labels] + np.float32(case.noise) * random.standard_normal((count, DIMENSIONS), np.float32)
        return values / np.linalg.norm(values, axis=1, keepdims=True), labels

    database, labels = rows(case.items)
    queries, query_labels = rows(case.queries) if case.queries else (database, labels)
    return Problem(queries, database, query_labels, labels, None if case.queries else np.arange(case.items))


def evenrank(p: Problem) -> float:
    import evenrank as er

    database = er.Embeddings(p.database)
    queries, own = er.Embeddings(p.queries), False if p.own is None else p.own
    relevance = er.SameLabel(p.query_labels, p.labels)
    result = er.evaluate(queries, database, relevance, ["AP", "MAP@R", "Rprec", "P@1"], exclude_self=own)
    return float(result.mean["MAP@R"])


def faiss(p: Problem) -> float:
    import faiss as library

    index = library.IndexFlatIP(DIMENSIONS)
    index.add(p.database)
    relevant = np.bincount(p.labels)[p.query_labels] - (p.own is not None)
    most, total = int(relevant.max()), 0.0
    for first in range(0, len(p.queries), 1000):
        mine = slice(first, first + 1000)
        _, nearest = index.search(p.queries[mine], most + (p.own is not None))
        if p.own is not None:  # drop the query itself: wherever it is, or the last if it is not there
            self_found = nearest == p.own[mine, None]
            self_found[~self_found.any(axis=1), -1] = True
            nearest = nearest[~self_found].reshape(len(nearest), most)
        hit = (p.labels[nearest] == p.query_labels[mine, None]) & (np.arange(most) < relevant[mine, None])
        total += (hit * np.cumsum(hit, axis=1) / np.arange(1, most + 1)).sum(axis=1) @ (1 / relevant[mine])
    return total / len(p.queries)


def pytorch_metric_learning(p: Problem) -> float:
    import torch
    from pytorch_metric_learning.utils.accuracy_calculator import AccuracyCalculator

    metrics = ("mean_average_precision_at_r", "r_precision", "precision_at_1")
    calculator = AccuracyCalculator(include=metrics, k="max_bin_count", device=torch.device("cpu"))
    arrays = [torch.from_numpy(a) for a in (p.queries, p.query_labels, p.database, p.labels)]
    found = calculator.get_accuracy(*arrays, ref_includes_query=p.own is not None and len(p.queries) == len(p.database))
    return float(found["mean_average_precision_at_r"])


def sort(p: Problem) -> float:
    total = 0.0
    for first in range(0, len(p.queries), 100):
        mine = slice(first, first + 100)
        similarity = p.queries[mine] @ p.database.T
        if p.own is not None:
            similarity[np.arange(len(similarity)), p.own[mine]] = -np.inf
        order = np.argsort(-similarity, axis=1)
        hit = p.labels[order] == p.query_labels[mine, None]
        if p.own is not None:
            hit[:, -1] = False
        precision = np.cumsum(hit, axis=1) / np.arange(1, len(p.database) + 1)
        total += ((hit * precision).sum(axis=1) / hit.sum(axis=1)).sum()
    return float("nan")  # an AP, not a MAP@R


def products(p: Problem, kind: type[np.floating]) -> float:
    queries, database = p.queries.astype(kind), p.database.astype(kind)
    space = np.empty((1000, len(database)), kind)
    for first in range(0, len(queries), 1000):
        block = queries[first : first + 1000]
        np.matmul(block, database.T, out=space[: len(block)])
    return float("nan")


CONTENDERS: dict[
    str, tuple[Callable[[Problem], float], dict[str, float]]
] = {  # and the share of the queries it runs on
    "evenrank": (evenrank, {"SOP-like": 1, "CIFAR-like": 1}),
    "faiss": (faiss, {"SOP-like": 1, "CIFAR-like": 0.1}),
    "pytorch-metric-learning": (pytorch_metric_learning, {"SOP-like": 1, "CIFAR-like": 0.1}),
    "sort": (sort, {"SOP-like": 0.01, "CIFAR-like": 0.05}),
    "sgemm": (lambda p: products(p, np.float32), {"SOP-like": 1, "CIFAR-like": 1}),
    "dgemm": (lambda p: products(p, np.float64), {"SOP-like": 1, "CIFAR-like": 1}),
}


def run_one(name: str, case_name: str, quick: bool) -> dict[str, float]:
    """Return what one contender takes in this process: seconds for all queries, peak memory, and its number."""
    everything = problem((QUICK if quick else CASES)[case_name])
    work, shares = CONTENDERS[name]
    share = 1 if quick and name not in ("sort",) else shares[case_name]
    mine = everything if share == 1 else everything.part(share)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    work(everything.part(0.01))
    start = time.perf_counter()
    value = work(mine)
    seconds = (time.perf_counter() - start) * len(everything.queries) / len(mine.queries)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    per_query = 1000 * seconds / len(everything.queries)
    return {
        "seconds": seconds,
        "ms": per_query,
        "share": share,
        "gigabytes": peak,
        "increment": peak - before,
        "value": value,
    }


def fresh(name: str, case_name: str, quick: bool) -> dict[str, float]:
    """Return `run_one` of a fresh process."""
    command = [sys.executable, __file__, "--contender", name, "--case", case_name, *(["--quick"] if quick else [])]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(case_name: str, found: dict[str, dict[str, float]]) -> str:
    """Return the lines of one case: seconds, time per query, ratio to evenrank, memory."""
    base = found["evenrank"]["seconds"]
    lines = [case_name, f"{'':26}{'seconds':>9}{'ms/query':>10}{'ratio':>8}{'GB':>7}{'of it run':>10}{'MAP@R':>10}"]
    for name, row in found.items():
        lines.append(
            f"{name:26}{row['seconds']:9.2f}{row['ms']:10.3f}{row['seconds'] / base:8.2f}{row['gigabytes']:7.2f}"
            f"{row['share']:10.0%}{row['value']:10.4f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a fifth of the items, a tenth of the CIFAR-like queries")
    parser.add_argument("--repeat", type=int, default=2, help="processes per contender; the fastest counts")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    parser.add_argument("--contender", choices=CONTENDERS, help="run only this one, in this process")
    parser.add_argument("--case", choices=CASES, help="run only this case")
    arguments = parser.parse_args()
    if arguments.contender:
        print(json.dumps(run_one(arguments.contender, arguments.case, arguments.quick)))
        return
    report: dict[str, object] = {"machine": machine(), "quick": arguments.quick}
    print(machine())
    for case_name in [arguments.case] if arguments.case else CASES:
        runs = [{name: fresh(name, case_name, arguments.quick) for name in CONTENDERS} for _ in range(arguments.repeat)]
        best = {name: min((run[name] for run in runs), key=lambda row: row["seconds"]) for name in CONTENDERS}
        report[case_name] = best
        print(table(case_name, best), flush=True)
    if arguments.out:
        arguments.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
