"""Paper 2's Table 1 and Fig. 7 in small: codes of CIFAR-10 images, learned by one network under several objectives.

100 queries and 500 training items a class, all others the database (setting 1; the paper trains on 50,000 images for
750 epochs, here it is 5,000 for 20). Deep Supervised Hashing (Eq. 16), the same with dispersion (Eq. 20; with the
printed margin, and with the one that its text means), and TALR-AP; all train the network of Deep Supervised Hashing.

- Table 1: dispersion lowers AP (0.6012 to 0.3008 at 12 bits, 0.6407 to 0.3124 at 24) and raises LGAP (0.2633 to 0.2796,
  0.2889 to 0.3461). Beside them the range of AP over tie orders and the use of codes.
- Fig. 7: within a class, near codes are of similar images. Kendall's tau-b between the Hamming distance and the
  distance of GIST features (and of pixels) from a query to 200 database items of its class that did not train. Where
  all of them are at one Hamming distance there is no order, and tau is 0; the share of such queries is `unordered`.

Controls: the class that softmax predicts with the same network, as a one-hot code of 10 bits (the trivial solution);
the network untrained; random codes.

Adam for all: in so few steps the papers' SGD learns little, and Deep Supervised Hashing diverges at the rates that
others need. Tuning is equal and small: three learning rates a method, at 12 bits on a split that no final run uses,
trained on 4,000 of its training items and judged by AP on the other 1,000. Final runs train on all 5,000 of one split.

Half-widths are of 95 % intervals over queries; those of a difference take its two sides for independent, which they are
not (the queries are the same), so they are too wide. A claim is decided where the interval excludes 0 and both splits
agree. Seconds are CPU seconds of one thread. Each run is stored when it is done, and a second call does only what is
missing.

    EVENRANK_DATA=FOLDER python benchmarks/cifar10_images.py [--workers 2] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import kendalltau
from torch import set_num_threads

import evenrank as er
from evenrank.catalog import find
from evenrank.extractors.gist import Gist
from evenrank.formats.whole import whole
from evenrank.intervals import student_interval
from evenrank.method import Method
from evenrank.methods.hashing._trained import Trained
from evenrank.objectives.softmax import Softmax
from evenrank.training import encode

METHODS: dict[str, tuple[str, dict[str, Any]]] = {  # name here -> name in the catalog, keywords
    "dsh": ("dsh", {}),
    "dispersed": ("dsh_dispersed", {"margin": "paper"}),
    "dispersed, consistent": ("dsh_dispersed", {"margin": "consistent"}),
    "talr_ap": ("talr_ap", {}),
}
RATES = (0.001, 0.003, 0.01)
BITS, CLASSES = (12, 24), 10
EPOCHS, TUNING_EPOCHS = 20, 6
TUNING_SEED, SEEDS = 100, (0,)
NEIGHBOURS = 200  # items of a query's class that are ordered by likeness
CLAIMS = {"AP": -1, "LGAP@2": 1, "tau gist": 1}  # what dispersion does, says paper 2


class Run(NamedTuple):
    """One fit."""

    method: str
    bits: int
    seed: int
    rate: float = 0.0

    @property
    def key(self) -> str:
        """What the run is stored under."""
        return "/".join(map(str, self))


@dataclass(eq=False, repr=False, kw_only=True)
class Predicted(Trained):
    """The trivial solution of a network: the class that softmax predicts, as a one-hot code."""

    def objective(self) -> Softmax:
        """Return cross-entropy."""
        return Softmax()

    def read(self, x: np.ndarray) -> er.Codes:
        """Return one bit a class."""
        scores = encode(self._restored(), x)
        return er.Codes.from_bits(scores.argmax(axis=1)[:, None] == np.arange(self.bits))


@cache
def problem(seed: int) -> tuple[er.Dataset, er.Split]:
    """Return the images and one split of them."""
    data = er.dataset("cifar10")
    [split] = er.protocol(f"cifar10(setting=1, seed={seed})").splits(data)
    return data, split


def done(run: Run) -> dict[str, Any]:
    """Fit, encode, evaluate: on held-out training items while the learning rate is chosen, else on the test."""
    set_num_threads(1)
    data, split = problem(run.seed)
    tuning = run.seed == TUNING_SEED
    held = every_fifth(data.labels[split.train])
    known = split.train[~held] if tuning else split.train
    queries, database = (split.train[held], known) if tuning else (split.query, split.database)
    images, began = data.modalities["image"], time.process_time()
    if run.method == "chance":
        images = images[:, ::4, ::4].reshape(len(images), -1)  # enough to tell images apart: codes say nothing of them
    try:
        method = prepared(run).fit(images[known], data.memberships[known])
    except ValueError as error:  # a learning rate at which the outputs overflow
        return {"AP": 0.0, "failed": str(error)}
    seconds = time.process_time() - began
    near, codes = method.encode(images[queries]), method.encode(images[database])
    relevance = data.relevance.take(queries, database)
    found = described(er.evaluate(near, codes, relevance, ["AP", "LGAP@2"])) | {"fit_seconds": seconds}
    return found if tuning else found | alike(run.seed, near, codes)


def every_fifth(labels: np.ndarray) -> np.ndarray:
    """Return a mask of every fifth item of each class."""
    held = np.zeros(len(labels), bool)
    for label in np.unique(labels):
        held[np.flatnonzero(labels == label)[::5]] = True
    return held


def prepared(run: Run) -> Method:
    """Return the method that a run fits."""
    if run.method == "chance":
        return find("methods", "hashing/chance").load()(bits=run.bits, seed=run.seed)
    epochs = TUNING_EPOCHS if run.seed == TUNING_SEED else EPOCHS
    asked = {"network": "dsh", "optimiser": "adam", "bits": run.bits, "seed": run.seed}
    asked |= {"learning_rate": run.rate, "epochs": epochs}
    if run.method == "softmax":
        return Predicted(batch=200, stages=5, decay=0.6, **asked)  # as Deep Supervised Hashing
    if run.method == "untrained":  # at a rate of 0
        return find("methods", "hashing/dsh").load()(**asked | {"epochs": 1})
    name, keywords = METHODS[run.method]
    return find("methods", f"hashing/{name}").load()(**keywords, **asked)


def described(result: er.Result) -> dict[str, float]:
    """Return what a run is kept for."""
    kept = {"AP best": result.best["AP"], "AP worst": result.worst["AP"], "AP tie_std": result.tie_std["AP"]}
    for metric, mean in result.mean.items():
        low, high = result.interval(metric)
        kept |= {metric: mean, f"{metric} half": (high - low) / 2}
    return kept | result.codes


@cache
def likeness(seed: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return places in the database of some items of each query's class, and their distances from it by features."""
    data, split = problem(seed)
    new = np.flatnonzero(~np.isin(split.database, split.train))
    labels = data.labels[split.database[new]]
    of_class = np.stack([new[labels == label][:NEIGHBOURS] for label in range(CLASSES)])
    images, extract = data.modalities["image"], Gist().fit(data.modalities["image"])
    looks = {"gist": extract, "pixels": lambda images: images.reshape(len(images), -1).astype(np.float32)}
    distances = {}
    for name, look in looks.items():
        queries, items = look(images[split.query]), look(images[split.database[of_class.ravel()]])
        around = items.reshape(CLASSES, NEIGHBOURS, -1)[data.labels[split.query]]  # (queries, neighbours, dimensions)
        distances[name] = np.stack([np.linalg.norm(a - q, axis=1) for q, a in zip(queries, around, strict=True)])
    return of_class[data.labels[split.query]], distances


def alike(seed: int, queries: er.Codes, database: er.Codes) -> dict[str, float]:
    """Return the mean over queries of tau-b between Hamming and feature distance within the query's class."""
    places, distances = likeness(seed)
    bits = database.unpack()
    hamming = np.stack([(bits[p] != q).sum(axis=1) for q, p in zip(queries.unpack(), places, strict=True)])
    found = {"unordered": float((hamming.min(axis=1) == hamming.max(axis=1)).mean())}
    for name, real in distances.items():
        pairs = zip(hamming, real, strict=True)
        values = np.nan_to_num([kendalltau(near, far).statistic for near, far in pairs])
        low, high = student_interval(values, 0.95)
        found |= {f"tau {name}": float(values.mean()), f"tau {name} half": (high - low) / 2}
    return found


def tuning() -> list[Run]:
    """Return the runs that choose learning rates."""
    lengths = dict.fromkeys(METHODS, BITS[0]) | {"softmax": CLASSES}
    return [Run(method, bits, TUNING_SEED, rate) for method, bits in lengths.items() for rate in RATES]


def finals(stored: dict[str, Any]) -> Iterator[Run]:
    """Yield the runs of the table."""
    lengths = dict.fromkeys(METHODS, BITS) | {"softmax": (CLASSES,)}
    for seed in SEEDS:
        for method in lengths:
            tried = [run for run in tuning() if run.method == method]
            rate = max(tried, key=lambda run: stored[run.key]["AP"]).rate
            yield from (Run(method, bits, seed, rate) for bits in lengths[method])
        yield from (Run(method, bits, seed) for method in ("untrained", "chance") for bits in BITS)


def claims(stored: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield how each dispersed method differs from the plain one, and whether that is what the paper says."""
    runs = list(finals(stored))
    for bits, method, (metric, sign) in product(BITS, ("dispersed", "dispersed, consistent"), CLAIMS.items()):
        sides = [[stored[run.key] for run in runs if run[:2] == (name, bits)] for name in (method, "dsh")]
        changes = [after[metric] - before[metric] for after, before in zip(*sides, strict=True)]
        halves = [found[f"{metric} half"] for side in sides for found in side]
        change, half = float(np.mean(changes)), float(np.linalg.norm(halves)) / len(SEEDS)
        decided = abs(change) > half and len(set(np.sign(changes))) == 1
        verdict = ("held" if sign * change > 0 else "did not hold") if decided else "undecided"
        about = {"method": method, "bits": bits, "metric": metric}
        yield about | {"change": change, "half": half, "changes": changes, "verdict": verdict}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "cifar10_images.json")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    os.environ |= {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # of the workers
    found = json.loads(arguments.out.read_text(encoding="utf-8")) if arguments.out.exists() else {}
    stored = found.setdefault("runs", {})
    with ProcessPoolExecutor(arguments.workers, mp_context=get_context("spawn")) as pool:
        for stage in (tuning, lambda: finals(stored)):
            missing = [run for run in stage() if run.key not in stored]
            waiting: dict[Future[dict[str, Any]], Run] = {pool.submit(done, run): run for run in missing}
            for number, future in enumerate(as_completed(waiting), 1):
                run = waiting[future]
                stored[run.key] = future.result()
                print(f"{number} of {len(missing)}: {run.key} {stored[run.key]}", flush=True)
                save(arguments.out, found)
    save(arguments.out, found | {"claims": list(claims(stored))})


def save(path: Path, found: dict[str, Any]) -> None:
    with whole(path) as beside:
        beside.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
