"""One job, in a process of its own: fit, encode, evaluate, and report.

A tuning job sees the known part alone, with the sealed one locked away (`sealing`). A final job opens the test set and
evaluates every split: *separated*, the mean over the models of all splits, and where several models search the same
items by embeddings also *concatenated*: each normalised, put side by side.
"""

from __future__ import annotations

import inspect
import platform
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.benchmark import parts
from evenrank.benchmark.jobs import Task
from evenrank.benchmark.plan import Plan, entry, held
from evenrank.benchmark.sealing import seal
from evenrank.benchmark.store import Report
from evenrank.codes import Codes
from evenrank.counting.blocks import as_bytes
from evenrank.cross_media_method import MODALITIES, CrossMediaMethod
from evenrank.dataset import Dataset, data_root
from evenrank.embeddings import Embeddings
from evenrank.evaluate import evaluate
from evenrank.method import Method
from evenrank.protocol import Protocol, protocol
from evenrank.result import Result
from evenrank.split import Split
from evenrank.tuning import seed_of

Found = dict[str, list[Result]]  # what was searched, one result a split
Encoded = dict[str, Codes | Embeddings]

LIBRARIES = ("evenrank", "numpy", "scipy", "scikit-learn", "numba", "torch")


def work(plan: Plan, task: Task, folder: Path) -> Report:
    """Run a job; whatever goes wrong in it is part of the report."""
    began = time.perf_counter()
    try:
        with _limited(plan):
            found = _tune(plan, task, folder) if task.job.kind == "tune" else _final(plan, task, folder)
    except Exception:  # a method may fail in any way, and the others must go on
        return Report(None, {}, {}, time.perf_counter() - began, _provenance(folder), traceback.format_exc())
    metrics = {what: {name: _mean(results, name) for name in plan.metrics} for what, results in found.items()}
    judged = [_mean(results, plan.judge) for what, results in found.items() if what != "concatenated"]
    kept = task.job.kind == "final"
    per_query = {f"{what}: {name}": _pooled(found[what], name) for what in found for name in plan.metrics if kept}
    return Report(float(np.mean(judged)), metrics, per_query, time.perf_counter() - began, _provenance(folder))


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


def _tune(plan: Plan, task: Task, folder: Path) -> Found:
    data, folds = parts.known(folder)
    seal(folder / "sealed", data_root())
    split = folds[task.job.fold]
    rule = protocol(plan.protocol)
    method = _fitted(made(plan, task), plan, rule, data, split)
    return {"validation": list(_searches(method, plan, rule, data, split)[0].values())}


def _final(plan: Plan, task: Task, folder: Path) -> Found:
    data, splits = parts.whole(folder)
    rule = protocol(plan.protocol)
    found: Found = {}
    models: dict[bytes, Method] = {}  # splits with the same training items share their model
    encoded: list[tuple[Split, Encoded]] = []
    for split in splits:
        train = split.train.tobytes()
        if train not in models:
            models[train] = _fitted(made(plan, task), plan, rule, data, split)
        results, codes = _searches(models[train], plan, rule, data, split)
        kind = split.name.rstrip("0123456789").strip()  # "non-extendable 3" is one fold of non-extendable
        for direction, result in results.items():
            found.setdefault(", ".join(filter(None, (kind, direction))) or "test", []).append(result)
        encoded.append((split, codes))
    return found | _concatenated(plan, rule, data, encoded)


def _fitted(method: Method, plan: Plan, rule: Protocol, data: Dataset, split: Split) -> Method:
    """Return the method fitted on a split's training items, with its validation items where it takes them."""
    known = parts.searched(rule, data, split)
    if isinstance(method, CrossMediaMethod):
        return method.fit({name: np.asarray(data.modalities[name][split.train]) for name in MODALITIES}, known)
    items = _items(plan, data)
    takes = "validation" in inspect.signature(method.fit).parameters
    if not takes or not len(split.validation) or data.labels is None:
        return method.fit(items[split.train], known)
    held = (items[split.validation], data.labels[split.validation])
    return method.fit(items[split.train], known, validation=held)  # type: ignore[call-arg]


def _searches(
    method: Method, plan: Plan, rule: Protocol, data: Dataset, split: Split
) -> tuple[dict[str, Result], Encoded]:
    """Return the result of each direction that is searched, and the codes or embeddings of queries and database."""
    relevance = rule.relevance(data, split)
    metrics = list(dict.fromkeys((*plan.metrics, plan.judge)))
    if isinstance(method, CrossMediaMethod):
        results = {}
        for asks, answers in (MODALITIES, MODALITIES[::-1]):
            queries = method.encode(data.modalities[asks][split.query], asks)
            database = method.encode(data.modalities[answers][split.database], answers)
            results[f"{asks} to {answers}"] = evaluate(queries, database, relevance, metrics)
        return results, {}
    features = _items(plan, data)
    queries, database = method.encode(features[split.query]), method.encode(features[split.database])
    result = evaluate(queries, database, relevance, metrics, exclude_self=split.own)
    return {"": result}, {"query": queries, "database": database}


def _concatenated(plan: Plan, rule: Protocol, data: Dataset, encoded: list[tuple[Split, Encoded]]) -> Found:
    """Return the result of all models' embeddings side by side, where several search the same items."""
    first = encoded[0][0]
    same = all(np.array_equal(split.query, first.query) for split, _ in encoded)
    if len(encoded) < 2 or not same or not all(isinstance(each.get("query"), Embeddings) for _, each in encoded):
        return {}
    queries, database = (_side_by_side([each[part] for _, each in encoded]) for part in ("query", "database"))
    metrics = list(dict.fromkeys((*plan.metrics, plan.judge)))
    return {"concatenated": [evaluate(queries, database, rule.relevance(data, first), metrics, exclude_self=first.own)]}


def _items(plan: Plan, data: Dataset) -> Any:
    """Return the modality that methods of one see."""
    if plan.modality or len(data.modalities) == 1:
        name = plan.modality or next(iter(data.modalities))
        if name in data.modalities:
            return data.modalities[name]
    listed = ", ".join(data.modalities)
    raise ValueError(f"modality of the plan must be one of {data.name}'s, {listed}; got {plan.modality!r}")


def _side_by_side(embeddings: list[Codes | Embeddings]) -> Embeddings:
    """Return embeddings whose rows are those of all models, each of length one."""
    rows = [np.asarray(each.values, np.float64) for each in embeddings if isinstance(each, Embeddings)]
    return Embeddings(np.concatenate([each / np.linalg.norm(each, axis=1, keepdims=True) for each in rows], axis=1))


def _mean(results: list[Result], name: str) -> float:
    return float(np.mean([result.mean[name] for result in results]))


def _pooled(results: list[Result], name: str) -> np.ndarray:
    """Return the values of all queries, one split after the other."""
    return np.concatenate([result.per_query[name] for result in results])


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


def _provenance(folder: Path) -> dict[str, Any]:
    """Return where and with what a job ran."""
    libraries = {}
    for name in LIBRARIES:
        try:
            libraries[name] = version(name)
        except ImportError:
            continue
    data = parts.about(folder)
    return {
        "data": data["checksum"],
        "libraries": libraries,
        "python": platform.python_version(),
        "machine": f"{platform.machine()} {platform.system()}",
        "finished": time.time(),
    }
