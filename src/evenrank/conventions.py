"""The same codes under every convention for average precision: why does your AP differ from mine?

Each row makes one choice differently from the first (expected over tie orders, divided by all relevant items, queries
without relevant items skipped) and names public tools that make it so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from evenrank.counting import Items, own_rows, tallies
from evenrank.evaluate import Empty, evaluate
from evenrank.relevance import Relevance
from evenrank.table import number, text_table


class Convention(NamedTuple):
    """One choice, who makes it so, and the mean AP that follows."""

    about: str
    choice: str
    used_by: str
    value: float


def conventions(
    queries: Items,
    database: Items,
    relevance: Relevance,
    *,
    cutoff: int = 1000,
    exclude_self: bool | np.ndarray = False,
) -> list[Convention]:
    """Return mean AP under every convention about ties, divisor at a cut-off, interpolation, empty queries and self."""
    own = own_rows(exclude_self, len(queries), len(database))
    backwards = np.arange(len(database))[::-1]
    cut, retrieved, least = (f"AP{divisor}@{cutoff}" for divisor in ("", "(divisor=retrieved)", "(divisor=min)"))
    trapezoid = "AP(interpolation=trapezoid)"
    expected = evaluate(
        queries, database, relevance, ["AP", trapezoid, cut, retrieved, least, "MAP@R"], exclude_self=own
    )
    index = evaluate(queries, database, relevance, ["AP", trapezoid], exclude_self=own, ties="index")
    reversed_own = np.where(own < 0, own, len(database) - 1 - own)
    last_first = evaluate(
        queries, database[backwards], relevance.take(None, backwards), ["AP"], exclude_self=reversed_own, ties="index"
    )

    def alone(exclude_self: bool | np.ndarray = own, empty: Empty = "skip") -> float:
        return evaluate(queries, database, relevance, ["AP"], exclude_self=exclude_self, empty=empty).mean["AP"]

    rows = [
        ("ties", "expected over all orders", "evenrank, TALR", expected.mean["AP"]),
        ("", "database order", "DeepHash-pytorch, ranx, torchmetrics, faiss + loop", index.mean["AP"]),
        ("", "database order, last first", "trec_eval and pytrec_eval (document id)", last_first.mean["AP"]),
        ("", "a tie is one threshold", "scikit-learn", one_threshold(queries, database, relevance, own)),
        ("", "luckiest order", "(no order reaches more)", expected.best["AP"]),
        ("", "unluckiest order", "(no order reaches less)", expected.worst["AP"]),
        (f"divisor @{cutoff}", "all relevant items", "evenrank, trec_eval", expected.mean[cut]),
        ("", "relevant items retrieved", "DeepHash-pytorch, TALR, torchmetrics top_k", expected.mean[retrieved]),
        ("", "min(k, relevant items)", "ml_metrics", expected.mean[least]),
        ("cut at R", "all relevant items", "pytorch-metric-learning MAP@R", expected.mean["MAP@R"]),
        ("curve", "trapezoids", "Oxford Buildings", expected.mean[trapezoid]),
        ("", "trapezoids, database order", "extendable cross-media evaluation", index.mean[trapezoid]),
        ("empty queries", "skipped", "evenrank, pytorch-metric-learning", expected.mean["AP"]),
        ("", "count 0", "torchmetrics, TALR, DeepHash-pytorch", alone(empty="zero")),
        ("", "count 1", "torchmetrics pos", alone(empty="one")),
    ]
    if len(queries) == len(database):
        rows += [
            ("self (row i)", "excluded", "pytorch-metric-learning", alone(exclude_self=True)),
            ("", "kept", "DSH's released evaluation", alone(exclude_self=False)),
        ]
    return [Convention(*row) for row in rows]


def one_threshold(queries: Items, database: Items, relevance: Relevance, own: np.ndarray) -> float:
    """Return mean AP with every tie as one threshold: its relevant items all get the precision at its end."""
    values: list[np.ndarray] = []
    for tally in tallies(queries, database, relevance, exclude_self=own):
        groups = tally.groups()
        found, passed = groups.relevant_before + groups.relevant, np.maximum(groups.before + groups.items, 1)
        has = groups.total_relevant > 0
        values.append((groups.relevant * found / passed).sum(axis=1)[has] / groups.total_relevant[has])
    joined = np.concatenate(values)
    return float(joined.mean()) if len(joined) else float("nan")


def conventions_table(
    queries: Items,
    database: Items,
    relevance: Relevance,
    *,
    cutoff: int = 1000,
    exclude_self: bool | np.ndarray = False,
) -> str:
    """Return `conventions` as a table."""
    rows = conventions(queries, database, relevance, cutoff=cutoff, exclude_self=exclude_self)
    return text_table(
        ["about", "choice", "used by", "mean AP"], [[*row[:3], number(row.value)] for row in rows], left=3
    )
