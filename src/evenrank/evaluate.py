"""Representations and relevance in, every metric out: tallies in blocks, each folded into per-query values at once."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

import numpy as np

from evenrank import __version__, kernels
from evenrank.clusters import Clusters
from evenrank.codes import Codes
from evenrank.counting import Items, Ties, as_shards, own_rows, tallies
from evenrank.curves import first_relevant, precision_sums
from evenrank.machine import machine
from evenrank.metric import Metric, Spread, parse
from evenrank.metrics.usage import Usage
from evenrank.occupancy import Occupancy, occupancy
from evenrank.relevance import Relevance, SameLabel
from evenrank.result import Result
from evenrank.tally import Tally

METRICS = ("AP", "AP@1000", "nDCG@100", "P@10", "Rprec", "MAP@R", "CMC@1", "RR")
DIAGNOSTICS = ("TiedPairs", "Undecided")  # read from every tally, whatever is asked for
USAGE = 1 << 28  # bytes of codes whose usage is measured unasked
CELLS = 1 << 17  # of a tally folded at a time: its tables stay in the processor's cache

Empty = Literal["skip", "zero", "one", "error"]
Progress = Callable[[int, int], None]  # (queries done, queries in all)


class Part(NamedTuple):
    """What is kept of some queries' tally."""

    spreads: dict[str, Spread]
    lacking: dict[str, int]  # queries without a relevant item, for the metrics that need one
    lookups: dict[str, int]  # queries with nothing inside the metric's Hamming radius
    first: np.ndarray  # (queries, 3), see curves.first_relevant
    precision: np.ndarray  # see curves.precision_sums


def evaluate(
    queries: Items,
    database: Items | Sequence[Items],
    relevance: Relevance,
    metrics: Sequence[str | Metric] = METRICS,
    *,
    ties: Ties = "expected",
    exclude_self: bool | np.ndarray = False,
    empty: Empty = "skip",
    backend: str = "auto",
    memory: str | int = "1GB",
    progress: Progress | None = None,
) -> Result:
    """Return every metric of every query, exact over tie orders.

    `database` may be a list of shards, whose rows are numbered end to end. `ties` "index" ranks by (distance, row)
    instead, as tools do that break ties by database order. `exclude_self` True says that row i is query i; an array
    names each query's own row, -1 none. `empty` decides about queries without relevant items, for the metrics that
    need one: "skip" (NaN), "zero", "one" or "error".
    """
    began = time.perf_counter()
    wanted = parsed(metrics)
    _check(queries, relevance, wanted)
    if empty not in ("skip", "zero", "one", "error"):
        raise ValueError(f"empty must be one of skip, zero, one, error; got {empty!r}")
    shards = as_shards(database)
    blocks = tallies(queries, shards, relevance, ties=ties, exclude_self=exclude_self, backend=backend, memory=memory)
    own = own_rows(exclude_self, len(queries), relevance.shape[1])
    ranked = {name: metric for name, metric in wanted.items() if metric.reads in ("tally", "occupancy")}
    balls = _occupancy(queries, shards, ranked, own, backend)
    whole = _join(list(_parts(blocks, balls, ranked, empty, progress, len(queries))))
    choices = {"ties": ties, "exclude_self": bool((own >= 0).any()), "empty": empty}
    asked = {"metrics": {name: str(metric) for name, metric in wanted.items()}}
    seconds = {"seconds": round(time.perf_counter() - began, 4)}
    return Result(
        spreads={name: whole.spreads[name] for name in ranked},
        lacking=whole.lacking,
        lookups=whole.lookups,
        ties={name: float(whole.spreads[name].expected.mean()) for name in DIAGNOSTICS},
        first=whole.first,
        precision=whole.precision / max(int((whole.first[:, 2] > 0).sum()), 1),
        codes=_usage(shards, wanted),
        clusters=_clusters(shards, relevance, wanted),
        provenance=_about(queries, relevance, backend) | choices | asked | seconds,
    )


def parsed(metrics: Sequence[str | Metric]) -> dict[str, Metric]:
    """Return name as asked for -> metric."""
    if isinstance(metrics, (str, Metric)):
        raise ValueError(f"metrics must be a list, like ['AP', 'P@10']; got {metrics!r}")
    if not len(metrics):
        raise ValueError("metrics must name at least one metric; got none")
    return {str(metric): metric if isinstance(metric, Metric) else parse(metric) for metric in metrics}


def _check(queries: Items, relevance: Relevance, metrics: Mapping[str, Metric]) -> None:
    """Raise ValueError, one clear line, if a metric does not fit what is evaluated."""
    for name, metric in metrics.items():
        binary = metric.reads in ("occupancy", "codes") or metric.cutoff.kind == "radius"
        if binary and not isinstance(queries, Codes):
            raise ValueError(f"{name} is about binary codes; got embeddings")
        if metric.reads == "clusters" and not isinstance(relevance, SameLabel):
            raise ValueError(f"{name} compares clusters with labels: relevance must be SameLabel; got {relevance!r}")


def _parts(
    blocks: Iterator[Tally],
    balls: Occupancy | None,
    metrics: Mapping[str, Metric],
    empty: Empty,
    progress: Progress | None,
    queries: int,
) -> Iterator[Part]:
    """Yield the parts of all queries in order, folded by as many threads as there are cores."""
    done, chosen = 0, {**metrics, **{name: parse(name) for name in DIAGNOSTICS}}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for block in blocks:
            step = max(1, CELLS // block.counts.shape[1])
            rows = [slice(first, min(first + step, len(block))) for first in range(0, len(block), step)]

            def fold(part: slice, block: Tally = block, done: int = done) -> Part:
                here = None if balls is None else balls[done + part.start : done + part.stop]
                return _fold(block[part], here, chosen, empty, done + part.start)

            yield from threads.map(fold, rows)
            done += len(block)
            if progress:
                progress(done, queries)


def _fold(tally: Tally, balls: Occupancy | None, metrics: Mapping[str, Metric], empty: Empty, start: int) -> Part:
    groups = tally.groups()
    part = Part({}, {}, {}, first_relevant(groups), precision_sums(groups))
    for name, metric in metrics.items():
        spread: Spread = metric.spread(tally, balls) if metric.reads == "occupancy" else metric.spread(tally)  # type: ignore[attr-defined]
        if metric.needs_relevant:
            lacking = tally.groups(getattr(metric, "rel", 1)).total_relevant == 0
            part.lacking[name] = int(lacking.sum())
            if empty == "error" and lacking.any():
                raise ValueError(
                    f"{name} needs a relevant item; query {start + int(lacking.argmax())} has none (empty='error')"
                )
            spread = _settled(spread, lacking, empty)
        if metric.cutoff.kind == "radius":
            part.lookups[name] = int((groups.cut(metric.cutoff) == 0).sum())
        part.spreads[name] = spread
    return part


def _settled(spread: Spread, lacking: np.ndarray, empty: Empty) -> Spread:
    """Return the spread with the value that policy gives to queries without relevant items."""
    value = {"skip": np.nan, "zero": 0.0, "one": 1.0, "error": np.nan}[empty]
    expected, best, worst = (np.where(lacking, value, values) for values in spread[:3])
    return Spread(expected, best, worst, np.where(lacking, 0 * value, spread.deviation))


def _join(parts: Sequence[Part]) -> Part:
    first = parts[0]
    return Part(
        {
            name: Spread(*(np.concatenate(values) for values in zip(*(p.spreads[name] for p in parts), strict=True)))
            for name in first.spreads
        },
        {name: sum(part.lacking[name] for part in parts) for name in first.lacking},
        {name: sum(part.lookups[name] for part in parts) for name in first.lookups},
        np.concatenate([part.first for part in parts]),
        np.sum([part.precision for part in parts], axis=0),
    )


def _occupancy(
    queries: Items, shards: Sequence[Items], metrics: Mapping[str, Metric], own: np.ndarray, backend: str
) -> Occupancy | None:
    radii = [metric.cutoff.value for metric in metrics.values() if metric.reads == "occupancy"]
    if not (radii and isinstance(queries, Codes)):
        return None
    return occupancy(queries, _whole(shards), max(radii), own=own, backend=backend)


def _usage(shards: Sequence[Items], metrics: Mapping[str, Metric]) -> dict[str, float]:
    """Return how the database uses its codes; of a large one, whose codes are a copy to sort, only if asked for."""
    asked = any(metric.reads == "codes" for metric in metrics.values())
    size = sum(len(shard) * shard.packed.shape[1] for shard in shards if isinstance(shard, Codes))
    return Usage().measure(_whole(shards)) if 0 < size <= USAGE or (asked and size) else {}


def _whole(shards: Sequence[Any]) -> Codes:
    """Return the codes of all shards in one."""
    if len(shards) == 1:
        codes: Codes = shards[0]
        return codes
    return Codes(np.concatenate([shard.bytes() for shard in shards]), shards[0].bits)


def _clusters(shards: Sequence[Items], relevance: Relevance, metrics: Mapping[str, Metric]) -> dict[str, float]:
    wanted = {name: metric for name, metric in metrics.items() if metric.reads == "clusters"}
    if not (wanted and isinstance(relevance, SameLabel)):
        return {}
    clusters = Clusters(np.concatenate([_points(items) for items in shards]), relevance.database_labels)
    return {name: metric.measure(clusters) for name, metric in wanted.items()}  # type: ignore[attr-defined]


def _points(items: Items) -> np.ndarray:
    """Return items as points to cluster: signs of codes, embeddings as they are compared, under cosine of norm 1."""
    if isinstance(items, Codes):
        return items.signs()
    norms = np.linalg.norm(items.values, axis=1, keepdims=True) if items.distance == "cosine" else 1.0
    return np.asarray(items.values / norms)


def _about(queries: Items, relevance: Relevance, backend: str) -> dict[str, Any]:
    """Return what was evaluated, when and where."""
    if isinstance(queries, Codes):
        representation = f"codes of {queries.bits} bits"
    else:
        representation = f"embeddings of {queries.dimensions} dimensions, {queries.distance}"
    return {
        "evenrank": __version__,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": f"{machine()}, Python {platform.python_version()}",
        "backend": kernels.backend(backend).__name__.rpartition(".")[2],
        "representation": representation,
        "relevance": f"{type(relevance).__name__}, levels {', '.join(map(str, relevance.levels))}",
        "queries": relevance.shape[0],
        "database": relevance.shape[1],
    }
