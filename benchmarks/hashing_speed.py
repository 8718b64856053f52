"""How long the closed-form hashing methods take to fit 20,000 items of 512 features, and how fast they encode them.

Items are Gaussian groups with a decaying spectrum, float32. Each figure is the best of several runs; the peer of
encoding is the bare product of features and weights, which a linear method cannot beat.

    python benchmarks/hashing_speed.py [--bits 64] [--repeat 3] [--threads 2] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from evenrank.catalog import find
from evenrank.machine import machine

LINEAR = ("lsh", "pca_hashing", "pca_rotation", "itq", "density_sensitive")
OTHERS = ("spectral", "sklsh", "spherical", "trivial", "chance")
ITEMS, DIMENSIONS, CLASSES = 20_000, 512, 10


def problem() -> tuple[np.ndarray, np.ndarray]:
    """Return features and labels."""
    random = np.random.default_rng(0)
    labels = random.integers(0, CLASSES, ITEMS)
    spectrum = np.exp(-np.arange(DIMENSIONS) / 100)
    noise = (random.standard_normal((ITEMS, DIMENSIONS)) * spectrum) @ random.standard_normal((DIMENSIONS, DIMENSIONS))
    centres = 5 * random.standard_normal((CLASSES, DIMENSIONS))
    return (centres[labels] + noise).astype(np.float32), labels


def best(run: Callable[[], Any], repeat: int) -> float:
    """Return the seconds of the fastest of several runs."""
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def row(name: str, bits: int, repeat: int, x: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """Return the seconds of a fit and the items encoded in a second."""
    method = find("methods", f"hashing/{name}").load()()
    if "bits" in method.get_params():
        method.set_params(bits=bits)
    fit = best(lambda: method.fit(x, y), max(1, repeat // 3))
    return {"fit_seconds": fit, "items_a_second": len(x) / best(lambda: method.encode(x), repeat)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bits", type=int, default=64)
    parser.add_argument("--repeat", type=int, default=9, help="runs of encoding; a third as many of fitting")
    parser.add_argument("--threads", type=int, default=2, help="of the linear algebra")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    x, y = problem()
    weights = np.random.default_rng(1).standard_normal((DIMENSIONS, arguments.bits)).astype(np.float32)
    with threadpool_limits(arguments.threads), warnings.catch_warnings(action="ignore"):
        rows = {name: row(name, arguments.bits, arguments.repeat, x, y) for name in LINEAR + OTHERS}
        product = len(x) / best(lambda: x @ weights, arguments.repeat)
    print(f"{machine()}, {arguments.threads} used; the product alone: {product:,.0f} items a second")
    for name, found in rows.items():
        share = f"{found['items_a_second'] / product:6.0%} of the product" if name in LINEAR else ""
        print(f"{name:20}fit {found['fit_seconds']:7.2f} s   {found['items_a_second']:12,.0f} items a second{share}")
    if arguments.out:
        about = {"machine": machine(), "threads": arguments.threads, "bits": arguments.bits, "load": os.getloadavg()[0]}
        result = {**about, "product_items_a_second": product, "methods": rows}
        arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
