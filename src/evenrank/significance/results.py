"""Comparing what evaluations found: stored results in, a comparison out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path

import numpy as np

from evenrank.metric import parse
from evenrank.result import Result
from evenrank.significance.comparison import Comparison, Progress, TieRange, compare

ALIKE = ("relevance", "queries", "database", "ties", "exclude_self", "empty")  # what a fair comparison does not vary

Results = Mapping[str, Sequence[Result]]  # the runs of every method


def read_result(path: Path) -> Result:
    """Return the result that `evenrank evaluate --json` wrote."""
    if not path.is_file():
        raise ValueError(f"{path}: {'is a folder, not a file' if path.is_dir() else 'no such file'}")
    try:
        result = Result.from_json(path)
        named, queries = dict(result.provenance["metrics"]), result.provenance["queries"]
        whole = all(len(part) == queries for spread in result.spreads.values() for part in spread)
        known = all(name in result.mean for name in named if name not in result.codes)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        whole = known = False
    if not (whole and known):
        raise ValueError(f"{path}: is not a result that evenrank evaluate --json wrote, or not all of it")
    return result


def compare_results(
    methods: Results,
    metric: str = "AP",
    *,
    by_run: bool = False,
    against_first: bool = False,
    confidence: float = 0.95,
    permutations: int = 10_000,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Return the comparison of several methods, each the results of its runs, by one metric.

    `by_run` pairs run i of each method instead of queries: for folds that have their own queries. A clustering score,
    which has no queries, is compared so too.
    """
    if any(str(parse(metric)) in results[0].ties for results in methods.values()):
        raise ValueError(f"metric {metric} says how rankings tie, not how good they are: there is nothing to compare")
    named = {method: [(result, _name(method, result, metric)) for result in runs] for method, runs in methods.items()}
    by_run = by_run or any(name in result.clusters for runs in named.values() for result, name in runs)
    values = {
        method: [result.mean[name] if by_run else result.per_query[name] for result, name in runs]
        for method, runs in named.items()
    }
    return compare(
        values,
        unit="runs" if by_run else "queries",
        against_first=against_first,
        ties={method: _tie_range(runs) for method, runs in named.items()},
        confidence=confidence,
        permutations=permutations,
        resamples=resamples,
        seed=seed,
        progress=progress,
    )


def unlike(methods: Results) -> list[str]:
    """Return a line for everything that was not the same for all methods and should have been."""
    lines = []
    for key in ALIKE:
        found = {
            method: " or ".join(sorted({str(result.provenance.get(key)) for result in results}))
            for method, results in methods.items()
        }
        if len(set(found.values())) > 1:
            listed = ", ".join(f"{method} {value}" for method, value in found.items())
            lines.append(f"not evaluated alike: {key.replace('_', ' ')} is {listed}")
    return lines


def _name(method: str, result: Result, metric: str) -> str:
    """Return the name under which a result holds a metric, however it was written."""
    for name in result.mean:
        if result.provenance["metrics"][name] == str(parse(metric)):
            return name
    raise ValueError(f"results of {method} must hold {metric}; got {', '.join(result.mean)}")


def _tie_range(runs: Sequence[tuple[Result, str]]) -> TieRange:
    """Return the means over runs of the worst and the best tie order; a clustering score has none."""
    worst = [result.worst.get(name, nan) for result, name in runs]
    best = [result.best.get(name, nan) for result, name in runs]
    return float(np.mean(worst)), float(np.mean(best))
