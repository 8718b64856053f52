"""One job, in a process of its own: fit, encode, evaluate, and report.

A tuning job sees the known part alone, with the sealed one locked away (`sealing`). A final job opens the test set and
evaluates every split: *separated*, the mean over the models of all splits, and where several models search the same
items by embeddings also *concatenated*: each normalised, put side by side.
"""

from __future__ import annotations

import inspect
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.benchmark import parts
from evenrank.benchmark.exhibits import exhibits
from evenrank.benchmark.final import Final, Fit, Search
from evenrank.benchmark.jobs import Task
from evenrank.benchmark.plan import Plan, entry, held
from evenrank.benchmark.provenance import provenance
from evenrank.benchmark.sealing import seal
from evenrank.benchmark.store import Report
from evenrank.counting import Items
from evenrank.counting.blocks import as_bytes
from evenrank.cross_media_method import MODALITIES, CrossMediaMethod
from evenrank.dataset import Dataset, data_root
from evenrank.embeddings import Embeddings
from evenrank.evaluate import evaluate
from evenrank.method import Method
from evenrank.metric import parse
from evenrank.protocol import Protocol, protocol
from evenrank.result import Result
from evenrank.split import Split
from evenrank.tuning import seed_of

SEPARATED = "separated"

Exhibits = dict[str, Any]
Found = dict[str, list[Result]]  # what was searched, one result a split


def work(plan: Plan, task: Task, folder: Path) -> Report:
    """Run a job; whatever goes wrong in it is part of the report."""
    began = time.perf_counter()
    try:
        with _limited(plan):
            found, left = _tune(plan, task, folder) if task.job.kind == "tune" else _final(plan, task, folder)
            value, metrics, per_query = _judged(plan, found), _means(plan, found), _per_query(plan, found)
    except Exception:  # a method may fail in any way, and the others must go on
        return Report(None, {}, {}, time.perf_counter() - began, provenance(folder), traceback.format_exc())
    kept = per_query if task.job.kind == "final" else {}
    return Report(value, metrics, kept, time.perf_counter() - began, provenance(folder), exhibits=left)


def made(plan: Plan, task: Task) -> Method:
    """Return the method of a task: its fixed keywords, the setting, its width, and a seed of its own."""
    [compared] = [each for each in plan.methods if each.title == task.job.method]
    cls = entry(compared).load()
    fixed = held(plan, compared)
    known = {field.name for field in fields(cls)} - set(fixed)
    given: dict[str, Any] = {**fixed, **task.parameters}
    given |= {name: task.job.width for name in ("bits", "dimensions") if name in known and task.job.width}
    if "seed" in known:
        given["seed"] = seed_of(plan.seed, task.job.kind, task.job.number)
    method: Method = cls(**given)
    return method


def _tune(plan: Plan, task: Task, folder: Path) -> tuple[Found, Exhibits]:
    data, folds = parts.known(folder)
    seal(folder / "sealed", data_root(), *map(Path, parts.about(folder).get("sources", ())))
    split = folds[task.job.fold]
    rule = protocol(plan.protocol)
    method = _fitted(made(plan, task), plan, rule, data, split)
    return {"validation": [search.result for search in _searches(method, plan, rule, data, split).values()]}, {}


def _final(plan: Plan, task: Task, folder: Path) -> tuple[Found, Exhibits]:
    data, splits = parts.whole(folder)
    rule = protocol(plan.protocol)
    final = Final(data, {}, {}, [], [], folder)
    models: dict[bytes, Method] = {}  # splits with the same training items share their model
    plain: list[Search] = []
    separated = len(splits) > 1 and all(np.array_equal(split.query, splits[0].query) for split in splits)
    for split in splits:
        train = split.train.tobytes()
        if train not in models:
            method = made(plan, task)  # its class is loaded before the clock starts
            began = time.perf_counter()
            models[train] = _fitted(method, plan, rule, data, split)
            final.fits.append(Fit(time.perf_counter() - began, len(split.train)))
        kind = SEPARATED if separated else split.name.rstrip("0123456789").strip()  # "unseen 3" is a fold of "unseen"
        for direction, search in _searches(models[train], plan, rule, data, split).items():
            final.add(", ".join(filter(None, (kind, direction))) or "test", search)
            plain += [] if direction else [search]
    if separated and (together := _concatenated(plan, plain)):
        final.add("concatenated", together)
    return final.found, exhibits(plan, task.job, final)


def _fitted(method: Method, plan: Plan, rule: Protocol, data: Dataset, split: Split) -> Method:
    """Return the method fitted on a split's training items, with its validation items where it takes them."""
    known = parts.searched(rule, data, split, method.supervision)
    if isinstance(method, CrossMediaMethod):
        return method.fit({name: np.asarray(data.modalities[name][split.train]) for name in MODALITIES}, known)
    items = _items(plan, data)
    takes = "validation" in inspect.signature(method.fit).parameters
    if not takes or not len(split.validation) or data.labels is None:
        return method.fit(items[split.train], known)
    held = (items[split.validation], data.labels[split.validation])
    return method.fit(items[split.train], known, validation=held)  # type: ignore[call-arg]


def _searches(method: Method, plan: Plan, rule: Protocol, data: Dataset, split: Split) -> dict[str, Search]:
    """Return the search in each direction; a method of one modality has one, without a name."""
    relevance = rule.relevance(data, split)
    if not isinstance(method, CrossMediaMethod):
        features = _items(plan, data)
        began = time.perf_counter()
        queries, database = method.encode(features[split.query]), method.encode(features[split.database])
        seconds = time.perf_counter() - began
        result = evaluate(queries, database, relevance, _metrics(plan), exclude_self=split.own)
        name = plan.modality or next(iter(data.modalities))
        return {"": Search(split, name, name, queries, database, relevance, split.own, result, seconds)}
    searches = {}
    for asks, answers in (MODALITIES, MODALITIES[::-1]):
        began = time.perf_counter()
        queries = method.encode(data.modalities[asks][split.query], asks)
        database = method.encode(data.modalities[answers][split.database], answers)
        seconds = time.perf_counter() - began
        result = evaluate(queries, database, relevance, _metrics(plan))
        nobody = np.full(len(split.query), -1)
        searches[f"{asks} to {answers}"] = Search(
            split, asks, answers, queries, database, relevance, nobody, result, seconds
        )
    return searches


def _metrics(plan: Plan) -> list[str]:
    return list(dict.fromkeys((*plan.metrics, plan.judge)))


def _concatenated(plan: Plan, searches: list[Search]) -> Search | None:
    """Return the search of the same items by all models' embeddings side by side; None if they are not embeddings."""
    if not searches or not all(isinstance(each.queries, Embeddings) for each in searches):
        return None
    first = searches[0]
    queries = _side_by_side([each.queries for each in searches])
    database = _side_by_side([each.database for each in searches])
    result = evaluate(queries, database, first.relevance, _metrics(plan), exclude_self=first.own)
    return first._replace(queries=queries, database=database, result=result, seconds=0.0)


def _items(plan: Plan, data: Dataset) -> Any:
    """Return the modality that methods of one see."""
    if plan.modality or len(data.modalities) == 1:
        name = plan.modality or next(iter(data.modalities))
        if name in data.modalities:
            return data.modalities[name]
    listed = ", ".join(data.modalities)
    raise ValueError(f"modality of the plan must be one of {data.name}'s, {listed}; got {plan.modality!r}")


def _side_by_side(embeddings: list[Items]) -> Embeddings:
    """Return embeddings whose rows are those of all models, each of length one."""
    rows = [np.asarray(each.values, np.float64) for each in embeddings if isinstance(each, Embeddings)]
    return Embeddings(np.concatenate([each / np.linalg.norm(each, axis=1, keepdims=True) for each in rows], axis=1))


def _judged(plan: Plan, found: Found) -> float:
    """Return what the job is judged by."""
    return float(np.mean([_mean(results, plan.judge) for what, results in found.items() if what != "concatenated"]))


def _means(plan: Plan, found: Found) -> dict[str, dict[str, float]]:
    return {what: {name: _mean(results, name) for name in plan.metrics} for what, results in found.items()}


def _mean(results: list[Result], name: str) -> float:
    return float(np.mean([result.mean[name] for result in results]))


def _per_query(plan: Plan, found: Found) -> dict[str, np.ndarray]:
    """Return the values of all queries, one split after the other; clustering scores have none.

    Splits that search the same queries are rows, (splits, queries): each is a run on them, not more queries.
    """
    ranked = [name for name in plan.metrics if parse(name).reads != "clusters"]
    return {
        f"{what}: {name}": (np.stack if what.startswith(SEPARATED) else np.concatenate)(
            [result.per_query[name] for result in results]
        )
        for what, results in found.items()
        for name in ranked
    }


@contextmanager
def _limited(plan: Plan) -> Iterator[None]:
    """Bound the memory and the time of what runs inside; beyond, MemoryError or TimeoutError is raised."""
    if plan.limits.memory:
        used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        limit = used + as_bytes(plan.limits.memory)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    if plan.limits.seconds:
        signal.signal(signal.SIGALRM, _late)
        signal.setitimer(signal.ITIMER_REAL, plan.limits.seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _late(number: int, frame: object) -> None:
    raise TimeoutError("the job took longer than the plan's limit")
