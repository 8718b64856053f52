"""Paper 1 §5.4 on data of the real shape: does one database order stand for all of them?

CIFAR-10 setting 1 (1,000 queries, 59,000 items, 10 classes) in codes of 12 … 48 bits, made of class-dependent Gaussian
features by random projection. With a shuffled database the mean AP under one order (ties by row) is close to the
tie-aware value: the many queries average the luck of single ties. With a class-sorted database it is biased, because
one class wins all ties of its queries and another loses all of its own.

    python benchmarks/tie_breaking.py [--orders 10] [--out FILE]

Real GIST descriptors of CIFAR-10 are used too where the data folder (EVENRANK_DATA) holds the bundle cifar10-gist22k.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

import evenrank as er
from evenrank.table import number, text_table

Data = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # signs of queries and database, labels of both


def synthetic(bits: int, seed: int = 0) -> Data:
    """Return signs and labels of 1,000 queries and 59,000 items in 10 overlapping Gaussian classes, projected."""
    random = np.random.default_rng(seed)
    centres, projection = random.standard_normal((10, 64)), random.standard_normal((64, bits))
    labels = [np.repeat(np.arange(10), count) for count in (100, 5900)]
    values = [centres[label] + 2.0 * random.standard_normal((len(label), 64)) for label in labels]
    return *(np.sign(value @ projection) for value in values), *labels


def gist(bits: int, seed: int = 0) -> Data | None:
    """Return the same of 22,019 real GIST descriptors of CIFAR-10 (100 queries a class), if they are there."""
    path = Path(os.environ.get("EVENRANK_DATA", "")) / "cifar10-gist22k" / "bundle.npz"
    if not path.is_file():
        return None
    with np.load(path) as bundle:
        values, labels = bundle["image"] - bundle["image"].mean(axis=0), bundle["label"]
    order = np.argsort(labels, kind="stable")
    values, labels = values[order], labels[order]
    query = np.concatenate([np.flatnonzero(labels == c)[:100] for c in np.unique(labels)])
    rest = np.setdiff1d(np.arange(len(labels)), query)
    projection = np.random.default_rng(seed).standard_normal((values.shape[1], bits))
    signs = values @ projection
    return signs[query], signs[rest], labels[query], labels[rest]


def row(name: str, bits: int, data: Data, orders: int) -> dict[str, Any]:
    """Return AP over all orders, over some random orders and for the class-sorted order, of one set of codes."""
    query, database, query_labels, database_labels = data
    queries, codes = er.Codes.from_signs(query), er.Codes.from_signs(database)

    def ap(order: np.ndarray, ties: str) -> er.Result:
        relevance = er.SameLabel(query_labels, database_labels[order])
        return er.evaluate(queries, codes[order], relevance, ["AP"], ties=ties)

    sorted_order = np.argsort(database_labels, kind="stable")
    exact = ap(sorted_order, "expected")
    random = np.random.default_rng(1)
    shuffled = [ap(random.permutation(len(database)), "index").mean["AP"] for _ in range(orders)]
    one_class_each = ap(sorted_order, "index")
    by_class = [one_class_each.per_query["AP"][query_labels == c].mean() for c in np.unique(query_labels)]
    exact_by_class = [exact.per_query["AP"][query_labels == c].mean() for c in np.unique(query_labels)]
    bias = np.array(by_class) - np.array(exact_by_class)
    return {
        "data": name,
        "bits": bits,
        "tie_aware": exact.mean["AP"],
        "worst": exact.worst["AP"],
        "best": exact.best["AP"],
        "shuffled_mean": float(np.mean(shuffled)),
        "shuffled_std": float(np.std(shuffled, ddof=1)),
        "largest_error_of_one_order": float(np.abs(np.array(shuffled) - exact.mean["AP"]).max()),
        "class_sorted": one_class_each.mean["AP"],
        "bias_first_class": float(bias[0]),
        "bias_last_class": float(bias[-1]),
        "tie_std_independent": exact.tie_std["AP"],
        "tie_std_bound": exact.tie_std_bound["AP"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=10, help="random database orders")
    parser.add_argument("--out", type=Path, help="write the rows as JSON")
    arguments = parser.parse_args()
    rows = []
    for name, source in (("Gaussian classes, 1k × 59k", synthetic), ("CIFAR-10 GIST, 1k × 21k", gist)):
        for bits in (12, 24, 48):
            data = source(bits)
            if data is None:
                print(f"{name}: left out, EVENRANK_DATA does not hold it")
                break
            rows.append(row(name, bits, data, arguments.orders))
    shown = ("tie_aware", "worst", "best", "shuffled_mean", "shuffled_std", "class_sorted")
    biases = ("bias_first_class", "bias_last_class")
    header = ["data", "bits", "AP", "worst", "best", "shuffled", "± std", "class-sorted", "bias 1st class", "last"]
    lines = [
        [r["data"], str(r["bits"]), *(number(r[key]) for key in shown), *(f"{r[key]:+.4f}" for key in biases)]
        for r in rows
    ]
    print(text_table(header, lines))
    if arguments.out:
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
