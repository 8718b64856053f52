"""A small retrieval problem on real data, and how well codes solve it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import load_digits

import evenrank as er
from evenrank.catalog import find

QUERIES = 200
ITEMS = 1000


class Digits(NamedTuple):
    query: np.ndarray
    query_labels: np.ndarray
    database: np.ndarray
    labels: np.ndarray


@cache
def digits() -> Digits:
    """Return 200 queries and a database of 1,000 digits, on which methods also learn."""
    x, y = load_digits(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(x))
    query, database = rows[:QUERIES], rows[QUERIES : QUERIES + ITEMS]
    return Digits(x[query], y[query], x[database], y[database])


@cache
def average_precision(name: str, **keywords: Any) -> float:
    """Return the AP, averaged over queries, of a method of `methods/hashing` that learned from the database."""
    data = digits()
    method = find("methods", f"hashing/{name}").load()(**keywords).fit(data.database, data.labels)
    relevance = er.SameLabel(data.query_labels, data.labels)
    found = er.evaluate(method.encode(data.query), method.encode(data.database), relevance, metrics=["AP"])
    return float(found.mean["AP"])


def same_up_to_flips(bits: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return for each bit the share of rows that agree, or that disagree if larger: a flip changes no distance."""
    agree = (bits.astype(bool) == others.astype(bool)).mean(axis=0)
    return np.maximum(agree, 1 - agree)
