"""How many jobs a plan has left, and about how long they take."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evenrank.benchmark.estimate import Share
    from evenrank.benchmark.plan import Plan
    from evenrank.benchmark.store import Store


def forecast(plan: Plan, store: Store | None, workers: int, time: bool) -> str:
    """Return one row a method: its jobs and their seconds, from jobs that are done or, with `time`, from one fit."""
    from evenrank.benchmark import parts
    from evenrank.benchmark.estimate import elsewhere, shares, timed, total

    mine = store.seconds(plan) if store else {}
    others = elsewhere(plan, store) if store else {}
    if time:
        with tempfile.TemporaryDirectory(prefix="evenrank-") as folder:
            others = timed(plan, Path(folder) / "parts") | others
    left = shares(plan, parts.fold_count(plan), store.outcomes(plan) if store else {}, mine, others)
    jobs, seconds = sum(share.jobs for share in left), total(left, workers)
    if seconds is not None:
        line = f"{jobs:,} jobs to do: about {duration(seconds)} with --workers {workers}"
    elif time:
        line = f"{jobs:,} jobs to do; how long is unknown, for at least one method failed when it was timed"
    else:
        line = f"{jobs:,} jobs to do; how long is unknown: --dry-run --time measures one job a method"
    return f"{_table(plan, left)}\n\n{line}"


def duration(seconds: float) -> str:
    """Return a time in words, in its two largest units.

    >>> [duration(seconds) for seconds in (3.2, 80, 3700, 200000)]
    ['3 s', '1 min 20 s', '1 h 1 min', '2 d 7 h']
    """
    whole, words = round(seconds), list[str]()
    for name, size in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
        count, whole = divmod(whole, size)
        if count or (name == "s" and not words):
            words.append(f"{count} {name}")
        elif words:
            break
    return " ".join(words[:2])


def _table(plan: Plan, left: list[Share]) -> str:
    from evenrank.table import text_table

    rows = []
    for compared in plan.methods:
        mine = [share for share in left if share.method == compared.title]
        row = [compared.title]
        for kind in ("tune", "final"):
            chosen = [share for share in mine if share.kind == kind]
            jobs, known = sum(share.jobs for share in chosen), [share for share in chosen if share.jobs]
            row += [str(jobs), _seconds(known)]
        rows.append(row)
    return text_table(["method", "tuning jobs", "seconds each", "final jobs", "seconds each"], rows)


def _seconds(known: list[Share]) -> str:
    jobs = sum(share.jobs for share in known)
    if not jobs:
        return "–"
    if any(share.seconds is None for share in known):
        return "unknown"
    return f"{sum((share.seconds or 0.0) * share.jobs for share in known) / jobs:.3g}"
