"""Every hashing method of the papers on the same real features, by class labels and by four levels of distance.

The features are the GIST of 22,019 CIFAR-10 images, centred by the training items and scaled to length one.

- labels: 100 queries and 500 training items a class, all others the database (paper 1's setting 1 in small); all
  methods, gradient-trained ones with a linear map. Tie-aware AP with the range of all tie orders, code use, mLGAP@2.
- levels: paper 1's LabelMe protocol, four levels of relevance by distance; nDCG of the methods of its Table 3. Those
  that know no levels take every level above 0 for similar; the controls learn from no labels or from classes.

Tuning is equal and small: gradient-trained methods have a learning rate, one of four around the default, chosen at 24
bits (32 for levels) on a split that no final run uses, by the metric of training items held out; all other settings,
and all other methods, are as they come, but for the triplets of DTSH, which are fewer. Final runs train on all training
items of one split; intervals are over its queries. Seconds are CPU seconds of one thread. Each run is stored when it is
done, and a second call does only what is missing.

    EVENRANK_DATA=FOLDER python benchmarks/hashing_gist.py [--workers 2] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import evenrank as er
from evenrank.catalog import find
from evenrank.formats.whole import whole

UNTRAINED = ("lsh", "pca_hashing", "pca_rotation", "itq", "spectral", "sklsh", "spherical", "density_sensitive")
TRAINED = ("dpsh", "dtsh", "hashnet", "mihash", "dsh", "dsh_dispersed", "dsh_superclass", "talr_ap", "talr_ndcg")
FIXED: dict[str, dict[str, Any]] = {"dtsh": {"positives": 10, "negatives": 50}}  # triplets drawn an item: 500
MACHINES = (0, 1, 8, 9)  # airplane, automobile, ship, truck: one superclass, animals the other, for dsh_superclass
SHALLOW = ("bre", "fast_hash", "struct_hash", "mac_hash")
CONTROLS = ("chance", "trivial")
BITS = {"labels": (12, 24, 32, 48), "levels": (16, 32, 48, 64)}
METHODS = {
    "labels": (*CONTROLS, *UNTRAINED, *TRAINED, *SHALLOW),
    "levels": (*CONTROLS, "lsh", "dpsh", "dtsh", "mihash", "talr_ndcg", *SHALLOW),
}
PROTOCOL = {"labels": "per_class", "levels": "labelme"}
METRICS = {"labels": ("AP", "LGAP@2"), "levels": ("nDCG",)}
TUNED_BITS = {"labels": 24, "levels": 32}
FACTORS = (0.2, 1.0, 5.0, 25.0)  # of the default learning rate
TUNING_SEED, SEED = 100, 0


class Problem(NamedTuple):
    """Features, the split, and who is relevant to whom in training and in the test."""

    features: np.ndarray
    labels: np.ndarray
    split: er.Split
    training: er.Relevance
    test: er.Relevance


class Run(NamedTuple):
    """One fit; a `factor` of the learning rate where that is being chosen."""

    table: str
    method: str
    bits: int
    seed: int
    factor: float = 1.0

    @property
    def key(self) -> str:
        """What the run is stored under."""
        return "/".join(map(str, self))


@cache
def problem(table: str, seed: int) -> Problem:
    """Return the data of one split."""
    data = er.dataset("bundle(path='cifar10-gist22k')")
    protocol = er.protocol(f"{PROTOCOL[table]}(seed={seed})")
    [split] = protocol.splits(data)
    centred = data.modalities["image"] - data.modalities["image"][split.train].mean(axis=0)
    features = (centred / np.linalg.norm(centred, axis=1, keepdims=True)).astype(np.float32)
    known = features[split.train]
    if table == "labels":
        training: er.Relevance = er.SameLabel(data.labels[split.train], data.labels[split.train])
    else:
        within = er.WithinDistance(known, known, known, sample=len(known))
        training = er.Graded(within.levels[within.block()])
    return Problem(features, data.labels, split, training, protocol.relevance(data, split))


def done(run: Run) -> dict[str, Any]:
    """Fit, encode, evaluate: on held-out training items while the learning rate is chosen, else on the test."""
    import torch
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    with threadpool_limits(1), warnings.catch_warnings(action="ignore"):
        features, labels, split, relevance, test = problem(run.table, run.seed)
        method = prepared(run)
        places = np.arange(len(split.train))
        tuning = run.seed == TUNING_SEED
        fitted = places[places % 5 > 0] if tuning else places
        items = features[split.train][fitted]
        known = supervision(run.method, method, relevance.take(fitted, fitted), labels[split.train][fitted])
        began = time.process_time()
        try:
            method.fit(items, known)
        except ValueError as error:  # a learning rate at which the outputs overflow
            return {METRICS[run.table][0]: 0.0, "failed": str(error)}
        seconds = time.process_time() - began
        queries = features[split.train][places[::5]] if tuning else features[split.query]
        database = items if tuning else features[split.database]
        judged = relevance.take(places[::5], fitted) if tuning else test
        began = time.process_time()
        codes = method.encode(database)
        encoding = time.process_time() - began
        result = er.evaluate(method.encode(queries), codes, judged, METRICS[run.table])
    return {**described(result), "bits": codes.bits, "fit_seconds": seconds, "encode_seconds": encoding}


def supervision(name: str, method: Any, relevance: er.Relevance, labels: np.ndarray) -> Any:
    """Return what a method learns from: relevance, classes, or for one of them classes and superclasses."""
    if name == "dsh_superclass":
        attributes = np.stack([np.isin(labels, MACHINES), labels], axis=1)
        return er.MatchingAttributes(attributes, attributes)
    return labels if method.supervision == "labels" else relevance


def prepared(run: Run) -> Any:
    """Return the method as it comes, with the run's bits, seed and learning rate."""
    method = find("methods", f"hashing/{run.method}").load()()
    known = method.get_params()
    asked: dict[str, Any] = {"bits": run.bits, "seed": run.seed, **FIXED.get(run.method, {})}
    if run.factor != 1:
        asked["learning_rate"] = run.factor * known["learning_rate"]
    return method.set_params(**{name: value for name, value in asked.items() if name in known})


def described(result: er.Result) -> dict[str, Any]:
    """Return what a run is kept for."""
    kept: dict[str, Any] = {}
    for metric in result.mean:
        kept[metric] = result.mean[metric]
    main = next(iter(result.mean))
    low, high = result.interval(main)
    kept |= {"worst": result.worst[main], "best": result.best[main], "half": (high - low) / 2}
    kept |= {"tie_std": result.tie_std[main], "undecided": result.ties["Undecided"]}
    return kept | {f"codes {name}": value for name, value in result.codes.items()}


def tuning(table: str) -> list[Run]:
    """Return the runs that choose learning rates."""
    asked = [name for name in METHODS[table] if name in TRAINED]
    return [Run(table, name, TUNED_BITS[table], TUNING_SEED, factor) for name in asked for factor in FACTORS]


def finals(table: str, stored: dict[str, Any]) -> Iterator[Run]:
    """Yield the runs of a table, with the learning rates that tuning chose."""
    main = METRICS[table][0]
    for name in METHODS[table]:
        factor = 1.0
        if name in TRAINED:
            trials = [Run(table, name, TUNED_BITS[table], TUNING_SEED, factor) for factor in FACTORS]
            factor = FACTORS[int(np.argmax([stored[trial.key][main] for trial in trials]))]
        yield from (Run(table, name, bits, SEED, factor) for bits in BITS[table])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "hashing_gist.json")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    stored = json.loads(arguments.out.read_text(encoding="utf-8")) if arguments.out.exists() else {}
    with ProcessPoolExecutor(arguments.workers, mp_context=get_context("spawn")) as pool:
        for stage in (tuning, lambda table: finals(table, stored)):
            missing = [run for table in METHODS for run in stage(table) if run.key not in stored]
            waiting: dict[Future[dict[str, Any]], Run] = {pool.submit(done, run): run for run in missing}
            for number, future in enumerate(as_completed(waiting), 1):
                run = waiting[future]
                stored[run.key] = future.result()
                shown = {name: stored[run.key].get(name) for name in ("fit_seconds", *METRICS[run.table])}
                print(f"{number} of {len(missing)}: {run.key} {shown}", flush=True)
                with whole(arguments.out) as beside:
                    beside.write_text(json.dumps(dict(sorted(stored.items())), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
