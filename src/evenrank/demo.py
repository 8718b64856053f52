"""The demo: handwritten digits, hashed by methods of each kind, and how far tie-breaking alone moves their AP."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from evenrank.dataset import dataset
from evenrank.evaluate import evaluate
from evenrank.method import Method
from evenrank.methods.hashing.chance import Chance
from evenrank.methods.hashing.itq import ITQ
from evenrank.methods.hashing.lsh import LSH
from evenrank.methods.hashing.mihash import MIHash
from evenrank.methods.hashing.talr_ap import TALRAP
from evenrank.methods.hashing.trivial import Trivial
from evenrank.protocol import protocol
from evenrank.result import Result

BITS = (12, 24, 48)
METHODS = (Chance, LSH, ITQ, MIHash, TALRAP)
COUNT = len(BITS) * len(METHODS) + 1  # the trivial solution has one bit a class
METRICS = ("AP", "AP@100", "nDCG@100", "P@10", "MAP@R", "CMC@1", "P@H<=2", "LGAP@2")


class Run(NamedTuple):
    """What one method made of the digits; `seconds` is how long it took to learn."""

    title: str
    bits: int
    seconds: float
    result: Result


def runs(seed: int = 0) -> Iterator[Run]:
    """Yield the run of every method and length: 100 digits a class train, 20 others query all that are left."""
    digits, setting = dataset("digits"), protocol(f"per_class(queries=20, training=100, seed={seed})")
    x, y = np.asarray(digits.modalities["image"]), np.asarray(digits.labels)
    [split] = setting.splits(digits)
    relevance = setting.relevance(digits, split)
    lesson = x[split.train], y[split.train]
    timed_fit(MIHash(epochs=1), *lesson)  # loads and compiles what training needs, which is no method's own time
    for method in [*(cls(bits=bits, seed=seed) for bits in BITS for cls in METHODS), Trivial()]:
        seconds = timed_fit(method, *lesson)
        queries, database = method.encode(x[split.query]), method.encode(x[split.database])
        yield Run(method.title, queries.shape[1], seconds, evaluate(queries, database, relevance, METRICS))


def timed_fit(method: Method, x: np.ndarray, y: np.ndarray) -> float:
    """Fit a method and return how many seconds it took, on one thread: for so few digits the quickest."""
    start = perf_counter()
    with threadpool_limits(1):
        method.fit(x, y)
    return perf_counter() - start
