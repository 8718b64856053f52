"""How fast evenrank counts Hamming distances on the processor, beside what others take for the same or for less.

Three problems: A (1,000 × 59,000 × 48 bit), B (10,000 × 50,000 × 64 bit) and C (1,000 × 1,000,000 × 64 bit), random
codes, 10 classes. Contenders, best of several runs after a warm-up:

- evenrank tally: items of each level at each distance, the table from which every metric is read;
- evenrank AP: `evaluate` end to end, exact and tie-aware;
- simsimd: all distances of a block of queries, counted with bincount: the same table by hand;
- faiss: a flat binary index, all items ranked and AP in numpy; and the 5,000 nearest, which only gives AP@5000;
- pytorch-metric-learning: MAP@R on signs;
- argsort: the loop over queries that the code of deep-hashing papers shares, AP by the order that argsort leaves;
- scikit-learn: average_precision_score, query by query; torchmetrics: retrieval_average_precision, the same.

Contenders that would take more than about a second run on the first queries only and are scaled up ("scaled").
Then: special cases as multiples of the base case, time against bits and items with the slope of a straight line
through the logarithms (1 is linear), and the memory that A, B and C add, each in a fresh process.

    python benchmarks/tally_cpu.py [--quick] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

import evenrank as er
from evenrank.kernels import Lists, cpu


class Problem(NamedTuple):
    """Packed codes and labels of queries and database, and the lists of relevant rows that follow from the labels."""

    queries: np.ndarray
    database: np.ndarray
    query_labels: np.ndarray
    labels: np.ndarray
    bits: int
    lists: Lists

    @property
    def pairs(self) -> int:
        """Return how many pairs there are to count."""
        return len(self.queries) * len(self.database)

    def first(self, count: int) -> Problem:
        """Return the problem with its first queries only."""
        lists = er.SameLabel(self.query_labels[:count], self.labels).relevant()
        return self._replace(queries=self.queries[:count], query_labels=self.query_labels[:count], lists=lists)


CASES = {"A": (1_000, 59_000, 48), "B": (10_000, 50_000, 64), "C": (1_000, 1_000_000, 64)}


def random_problem(queries: int, items: int, bits: int, classes: int = 10, seed: int = 0) -> Problem:
    random = np.random.default_rng(seed)
    codes = random.integers(0, 256, (queries + items, bits // 8), np.uint8)
    labels = random.integers(0, classes, queries + items)
    lists = er.SameLabel(labels[:queries], labels[queries:]).relevant()
    return Problem(codes[:queries], codes[queries:], labels[:queries], labels[queries:], bits, lists)


def spread_codes(random: np.random.Generator, count: int, bits: int) -> np.ndarray:
    """Return codes whose distances to each other are spread over all of 0 … bits."""
    return np.packbits(np.arange(bits) < random.integers(0, bits + 1, count)[:, None], axis=1)


def multi_hot(random: np.random.Generator, count: int, labels: int, each: int) -> np.ndarray:
    chosen = np.argsort(random.random((count, labels)), axis=1)[:, :each]
    return np.isin(np.arange(count * labels), (chosen + np.arange(count)[:, None] * labels)).reshape(count, labels)


def best_time(run: Callable[[], Any], seconds: float = 2.0, most: int = 30) -> float:
    """Return the shortest time of several runs, after one that does not count."""
    run()
    times: list[float] = []
    end = time.perf_counter() + seconds
    while not times or (time.perf_counter() < end and len(times) < most):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def average_precisions(relevant: np.ndarray) -> np.ndarray:
    """Return the AP of each row of ranked relevance (1 relevant, 0 not)."""
    found = np.cumsum(relevant, axis=1)
    precision = found / np.arange(1, relevant.shape[1] + 1)
    return (precision * relevant).sum(axis=1) / np.maximum(found[:, -1], 1)


def evenrank_tally(problem: Problem) -> Any:
    return cpu.hamming_counts(problem.queries, problem.database, problem.bits, problem.lists)


def evenrank_ap(problem: Problem) -> Any:
    queries = er.Codes.from_packed(problem.queries, bits=problem.bits)
    database = er.Codes.from_packed(problem.database, bits=problem.bits)
    return er.evaluate(queries, database, er.SameLabel(problem.query_labels, problem.labels), metrics=["AP"])


def simsimd_bincount(problem: Problem) -> Any:
    import simsimd

    tables = []
    for q in range(0, len(problem.queries), 64):
        distances = np.asarray(
            simsimd.cdist(problem.queries[q : q + 64], problem.database, "hamming", threads=0, dtype="bin8")
        ).astype(np.int64)
        relevant = problem.query_labels[q : q + 64, None] == problem.labels
        cell = (np.arange(len(distances))[:, None] * (problem.bits + 1) + distances) * 2 + relevant
        tables.append(np.bincount(cell.ravel(), minlength=len(distances) * (problem.bits + 1) * 2))
    return np.concatenate(tables).reshape(len(problem.queries), problem.bits + 1, 2)


def faiss_ap(problem: Problem, nearest: int | None = None) -> Any:
    import faiss

    index = faiss.IndexBinaryFlat(problem.bits)
    index.add(problem.database)
    values = []
    for q in range(0, len(problem.queries), 100):
        _, rows = index.search(problem.queries[q : q + 100], nearest or len(problem.database))
        values.append(average_precisions(problem.labels[rows] == problem.query_labels[q : q + 100, None]))
    return np.concatenate(values)


def metric_learning_map_at_r(problem: Problem) -> Any:
    import torch
    from pytorch_metric_learning.utils.accuracy_calculator import AccuracyCalculator

    signs = [torch.from_numpy(np.unpackbits(c, axis=1).astype(np.float32) * 2 - 1) for c in problem[:2]]
    labels = [torch.from_numpy(x) for x in problem[2:4]]
    calculator = AccuracyCalculator(include=("mean_average_precision_at_r",), k="max_bin_count")
    return calculator.get_accuracy(signs[0], labels[0], signs[1], labels[1])


def argsort_loop(problem: Problem) -> Any:
    signs = [np.unpackbits(codes, axis=1).astype(np.float32) * 2 - 1 for codes in problem[:2]]
    values = []
    for query, label in zip(signs[0], problem.query_labels, strict=True):
        order = np.argsort(0.5 * (problem.bits - signs[1] @ query))
        ranks = np.flatnonzero((problem.labels == label)[order]) + 1
        values.append(np.mean(np.arange(1, len(ranks) + 1) / ranks))
    return values


def query_distances(problem: Problem, query: np.ndarray) -> np.ndarray:
    return np.bitwise_count(problem.database ^ query).sum(axis=1, dtype=np.int64)


def sklearn_loop(problem: Problem) -> Any:
    from sklearn.metrics import average_precision_score

    return [
        average_precision_score(problem.labels == label, -query_distances(problem, query))
        for query, label in zip(problem.queries, problem.query_labels, strict=True)
    ]


def torchmetrics_loop(problem: Problem) -> Any:
    import torch
    from torchmetrics.functional.retrieval import retrieval_average_precision

    values = []
    for query, label in zip(problem.queries, problem.query_labels, strict=True):
        closeness = np.float32(problem.bits + 1) - query_distances(problem, query)  # positive: it drops scores up to 0
        target = torch.from_numpy(problem.labels == label)
        values.append(retrieval_average_precision(torch.from_numpy(closeness.astype(np.float32)), target))
    return values


# (contender, what it returns, how many pairs it may be given in one run)
CONTENDERS: dict[str, tuple[Callable[[Problem], Any], str, float]] = {
    "evenrank tally": (evenrank_tally, "table of counts", np.inf),
    "evenrank AP": (evenrank_ap, "tie-aware AP", np.inf),
    "simsimd + bincount": (simsimd_bincount, "table of counts", 6e7),
    "faiss, all": (faiss_ap, "AP by row order", 2e7),
    "faiss, 5000": (lambda problem: faiss_ap(problem, 5000), "AP@5000 by row order", 6e7),
    "pytorch-metric-learning": (metric_learning_map_at_r, "MAP@R by row order", 6e7),
    "argsort loop": (argsort_loop, "AP by chance", 1e7),
    "scikit-learn": (sklearn_loop, "AP of the step curve", 6e6),
    "torchmetrics": (torchmetrics_loop, "AP by row order", 6e6),
}


def race(name: str, problem: Problem) -> list[dict[str, Any]]:
    """Return a record for each contender, and print it with its time as a multiple of evenrank's AP."""
    records: list[dict[str, Any]] = []
    for contender, (run, output, most) in CONTENDERS.items():
        part = problem.first(max(10, int(min(len(problem.queries), most // len(problem.database)))))
        try:
            seconds = best_time(lambda run=run, part=part: run(part)) * problem.pairs / part.pairs
        except ImportError:
            continue
        scaled, speed = part.pairs < problem.pairs, problem.pairs / seconds / 1e9
        records.append({"case": name, "who": contender, "seconds": seconds, "gigapairs": speed, "scaled": scaled})
        ratio = f"{seconds / records[1]['seconds']:7.1f} ×" if len(records) > 1 else " " * 9
        note = " (scaled)" if scaled else ""
        print(f"{name}  {contender:24} {seconds:10.4f} s {speed:9.3f} Gpairs/s {ratio}  {output}{note}", flush=True)
    return records


def special_cases(queries: int, items: int) -> dict[str, float]:
    """Return the time of special cases as multiples of the base case: 64 bits, random codes, 10 classes."""
    random = np.random.default_rng(1)
    base = random_problem(queries, items, 64)
    labels = [random.integers(0, 10, (n, 3)) for n in (queries, items)]
    hot = [multi_hot(random, n, 21, 2) for n in (queries, items)]
    spread = [spread_codes(random, n, 64) for n in (queries, items)]
    same = er.SameLabel(base.query_labels, base.labels)
    many = er.SameLabel(*(random.integers(0, 10_000, n) for n in (queries, items)))
    long = {bits: random_problem(queries, items, bits) for bits in (128, 256, 1024)}
    runs = {
        "base": (*base[:2], 64, same),
        "spread-out distances": (*spread, 64, same),
        "10,000 classes": (*base[:2], 64, many),
        "multi-label, any shared": (*base[:2], 64, er.SharedLabels(*hot)),
        "multi-label, number shared": (*base[:2], 64, er.SharedLabels(*hot, graded=True)),
        "three attributes, number matching": (*base[:2], 64, er.MatchingAttributes(*labels)),
        **{f"{bits} bits": (*problem[:2], bits, same) for bits, problem in long.items()},
    }
    lists = {name: run[3].relevant() for name, run in runs.items()}
    seconds = dict.fromkeys(runs, np.inf)
    for _ in range(12):  # in turns, so that a busy moment of the machine falls on all
        for name, run in runs.items():
            start = time.perf_counter()
            cpu.hamming_counts(*run[:3], lists[name])
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    return {name: value / seconds["base"] for name, value in seconds.items()}


def slope(sizes: list[int], problem_of: Callable[[int], Problem]) -> float:
    """Return the slope of log time against log size, by least squares."""
    problems = map(problem_of, sizes)
    seconds = [best_time(lambda p=problem: evenrank_tally(p), 1.0) for problem in problems]
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def added_memory(name: str) -> int:
    """Return the bytes of memory that counting adds at its peak, the result included, to data and compiled code."""
    problem = random_problem(*CASES[name])
    evenrank_tally(random_problem(10, 2_000, 64))
    Path("/proc/self/clear_refs").write_text("5")  # the peak so far is forgotten
    before = peak_memory()
    evenrank_tally(problem)
    return peak_memory() - before


def peak_memory() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the queries, and fewer sizes")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    parser.add_argument("--memory", choices=CASES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        print(added_memory(options.memory))
        return
    share = 10 if options.quick else 1
    print(f"{processor()}, {numba.get_num_threads()} threads")
    records = [r for n, (q, i, b) in CASES.items() for r in race(n, random_problem(q // share, i, b))]
    cases = special_cases(1_000, 50_000 // share)
    slopes = {
        "bits": slope([16, 32, 64, 128, 256, 512, 1024], lambda b: random_problem(1_000, 50_000 // share, b)),
        "items": slope([30_000, 100_000, 300_000, 1_000_000], lambda n: random_problem(1_000 // share, n, 64)),
    }
    memory = {n: int(subprocess.check_output([sys.executable, __file__, "--memory", n])) for n in CASES}
    for name, value in cases.items():
        print(f"{name:36} {value:6.2f} × base")
    print(f"slope of log time: {slopes['bits']:.2f} in bits, {slopes['items']:.2f} in items")
    print("added memory: " + ", ".join(f"{n} {value / 1e6:.1f} MB" for n, value in memory.items()))
    if options.out:
        figures = {"processor": processor(), "threads": numba.get_num_threads(), "race": records, "cases": cases,
                   "slopes": slopes, "memory": memory}  # fmt: skip
        options.out.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
