"""Several methods on the same queries: every mean with its interval, every pair with an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from math import isnan, nan
from typing import Any, Literal, NamedTuple

import numpy as np

from evenrank.significance.difference import Difference, Estimate, by_queries, by_runs
from evenrank.significance.error import standard_error
from evenrank.significance.holm import holm
from evenrank.significance.letters import letters
from evenrank.significance.ranks import Ranks, average_ranks
from evenrank.significance.runs import Values, aligned, defined

Unit = Literal["queries", "runs"]
Progress = Callable[[int, int], None]  # (pairs done, pairs in all)
TieRange = tuple[float, float]  # the mean if every tie is broken unluckily, and if luckily


class Summary(NamedTuple):
    """One method: its mean and half the width of its interval, its range over tie orders, its average rank, letters."""

    name: str
    runs: int
    mean: float
    half_width: float
    worst: float
    best: float
    rank: float
    letters: str


@dataclass(frozen=True)
class Comparison:
    """What `compare` found: methods best first, pairs in the order given.

    `critical` is the critical difference of the average ranks and `friedman` the p of their being equal, both over the
    `compared` queries (or runs) that have a value in every method.
    """

    methods: list[Summary]
    pairs: list[Difference]
    unit: Unit
    compared: int
    critical: float
    friedman: float
    confidence: float

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain lists, numbers and strings; None stands for NaN."""
        pairs = [{**asdict(pair), "decided": pair.decided, "answer": pair.answer} for pair in self.pairs]
        return plain({**vars(self), "methods": [method._asdict() for method in self.methods], "pairs": pairs})


def compare(
    methods: Mapping[str, Values],
    *,
    unit: Unit = "queries",
    against_first: bool = False,
    ties: Mapping[str, TieRange] | None = None,
    confidence: float = 0.95,
    permutations: int = 10_000,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Comparison:
    """Return which methods are better, higher values being better, and how sure that is.

    With `unit` "queries" a method is (runs, queries) values of the same queries as all others. Methods need not have
    equally many runs: runs are averaged by query for the test, and resampled for each method on its own. With "runs" a
    method is one value a run (or dataset), run i of each belonging together: Student's t. `against_first` leaves out
    the pairs without the first method, and with them the letters. `ties` gives (worst, best) means over tie orders.

    >>> found = compare({"A": [0.1, 0.3, 0.2, 0.5, 0.4, 0.2], "B": [0.3, 0.4, 0.5, 0.6, 0.8, 0.5]})
    >>> found.pairs[0].answer
    'B is better than A by 0.2333 (0.1139 … 0.3527)'
    """
    samples = _checked(methods, unit, confidence)
    estimate: Callable[..., Estimate] = by_runs
    if unit == "queries":
        estimate = partial(by_queries, permutations=permutations, resamples=resamples, seed=seed)
    chosen = [pair for pair in combinations(samples, 2) if not against_first or pair[0] == next(iter(samples))]
    found: dict[tuple[str, str], Estimate] = {}
    for first, second in chosen:
        found[first, second] = estimate(samples[first], samples[second], confidence=confidence)
        if progress:
            progress(len(found), len(chosen))
    ranges = dict.fromkeys(samples, (nan, nan)) | dict(ties or {})
    pairs = _differences(found, ranges, confidence)
    kept = defined(*samples.values())
    ranks = average_ranks(np.stack([runs[:, kept].mean(axis=0) for runs in samples.values()], axis=1), confidence)
    summaries = _summaries(samples, ranges, ranks, unit, confidence)
    if not against_first:
        summaries = _lettered(summaries, pairs)
    return Comparison(summaries, pairs, unit, int(kept.sum()), ranks.critical, ranks.p, confidence)


def _checked(methods: Mapping[str, Values], unit: Unit, confidence: float) -> dict[str, np.ndarray]:
    """Return the values of every method, (runs, queries) or (1, runs)."""
    if len(methods) < 2:
        raise ValueError(f"a comparison needs at least 2 methods; got {len(methods)}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1; got {confidence!r}")
    if unit not in ("queries", "runs"):
        raise ValueError(f"unit must be one of queries, runs; got {unit!r}")
    samples = aligned(methods, unit)
    if unit == "runs" and any(len(values) > 1 for values in samples.values()):
        raise ValueError("methods that are compared by runs must have one value a run; got several rows")
    return samples


def _differences(
    found: Mapping[tuple[str, str], Estimate], ranges: Mapping[str, TieRange], confidence: float
) -> list[Difference]:
    """Return the pairs with what only all of them together tell: p after Holm, and what is detectable after it."""
    adjusted = holm([each.p for each in found.values()])
    strictest = 1 - (1 - confidence) / len(found)  # the level at which Holm holds the first of them
    return [
        Difference(
            first,
            second,
            *each[:5],
            holm=float(after),
            detectable=each.error.detectable(strictest),
            dropped=each.dropped,
            overlap=_overlap(ranges[first], ranges[second]),
            confidence=confidence,
        )
        for ((first, second), each), after in zip(found.items(), adjusted, strict=True)
    ]


def _summaries(
    samples: Mapping[str, np.ndarray], ranges: Mapping[str, TieRange], ranks: Ranks, unit: Unit, confidence: float
) -> list[Summary]:
    """Return the methods, best first."""
    summaries = []
    for (name, runs), rank in zip(samples.items(), ranks.average.tolist(), strict=True):
        values = runs[:, defined(runs)]
        half = standard_error(values.mean(axis=0), values.mean(axis=1)).half_width(confidence)
        count = runs.shape[1] if unit == "runs" else len(runs)
        summaries.append(Summary(name, count, float(values.mean()), half, *ranges[name], rank, ""))
    return sorted(summaries, key=lambda each: -each.mean)


def _lettered(summaries: list[Summary], pairs: list[Difference]) -> list[Summary]:
    """Return the methods with their letters."""
    place = {each.name: number for number, each in enumerate(summaries)}
    groups = letters(len(place), [(place[pair.first], place[pair.second]) for pair in pairs if pair.decided])
    return [each._replace(letters=group) for each, group in zip(summaries, groups, strict=True)]


def _overlap(first: TieRange, second: TieRange) -> bool:
    """Return whether some tie order of each method ranks them the other way round; NaN: not known, so no."""
    return first[0] < second[1] and second[0] < first[1]


def plain(value: Any) -> Any:
    """Return a value made of dictionaries and lists with None for NaN, which JSON does not have."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return None if isinstance(value, float) and isnan(value) else value
