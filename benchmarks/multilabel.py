"""Paper 1's multi-label setting in small: levels by shared labels, and what a cut at 5,000 does to AP.

The labels are real, the features are *generated*. Labels are the 24 concepts of the 25,000 images of MIRFlickr (of its
38 lists, 14 only repeat the concept before them more strictly). Each concept has a random direction of length 1; an
item's feature is the sum of its concepts' directions, plus eight nuisance directions of length 1 times independent
N(0, 1), plus N(0, 1/4) in each of 128 dimensions. So noise has deviation 1/2 along a concept's direction, and one
concept, were it alone, would be told by it with 16 % errors; a nuisance has more variance than any concept.

The split has the shape of paper 1's NUS-WIDE: 50 images of each concept query all others, of which 200 of each train;
features and split are drawn anew for each seed. nDCG counts shared concepts; AP takes one for relevant. AP@5K is paper
1's: the mean precision at the relevant items among the first 5,000; with the other divisor all relevant items count.

Methods run as they come, but gradient-trained ones for 20 epochs, and DTSH draws 500 triplets an item. Tuning is equal
and small: of three learning rates around the default, gradient-trained methods take the best at 16 bits, on a seed that
no final run uses, for training items held out, by the metric they are made for (nDCG for TALR-NDCG, AP for all others).
Mean ± Student's 95 % interval over three seeds; CPU seconds of a fit, one thread. Each run is stored when it is done,
and a second call does only what is missing.

    EVENRANK_DATA=FOLDER python benchmarks/multilabel.py [--workers 2] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from itertools import permutations
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import evenrank as er
from evenrank.catalog import find
from evenrank.dataset import data_root
from evenrank.formats.whole import whole
from evenrank.intervals import student_interval
from evenrank.table import text_table

DIMENSIONS, NUISANCES, NOISE = 128, 8, 0.5
CONTROLS = ("chance", "trivial")
UNTUNED = ("lsh", "itq", "fast_hash")
TUNED = ("dpsh", "dtsh", "hashnet", "mihash", "talr_ap", "talr_ndcg")
EPOCHS = 20
FIXED: dict[str, dict[str, Any]] = {"dtsh": {"positives": 10, "negatives": 50}}  # triplets drawn an item: 500
BITS, TUNING_BITS = (16, 32), 16
FACTORS = (0.2, 1.0, 5.0)  # of the default learning rate
TUNING_SEED, SEEDS = 100, (0, 1, 2)
WHOLE, CUT, CUT_ALL = "AP", "AP(divisor=retrieved)@5000", "AP@5000"
METRICS = ("nDCG", WHOLE, CUT, CUT_ALL)


class Run(NamedTuple):
    """One fit; `factor` multiplies the learning rate."""

    method: str
    bits: int
    seed: int
    factor: float = 1.0

    @property
    def key(self) -> str:
        """What the run is stored under."""
        return "/".join(map(str, self))


class Problem(NamedTuple):
    """Generated features, real labels, and the split."""

    features: np.ndarray
    labels: np.ndarray
    split: er.Split


def concepts() -> np.ndarray:
    """Return which image has which of the 24 concepts; a stricter list follows its concept, (nearly) a part of it."""
    with np.load(data_root() / "multilabel" / "mirflickr.npz") as lists:
        labels = np.concatenate([lists[part] for part in ("train", "test", "database")])
    repeated = (labels[:, 1:] & labels[:, :-1]).sum(axis=0) > 0.99 * labels[:, 1:].sum(axis=0)
    return labels[:, np.append(True, ~repeated)]


def generated(labels: np.ndarray, seed: int) -> np.ndarray:
    """Return features of labelled items: directions of their labels, nuisances, noise."""
    random = np.random.default_rng(seed)
    directions = random.standard_normal((labels.shape[1] + NUISANCES, DIMENSIONS))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    amounts = np.concatenate([labels, random.standard_normal((len(labels), NUISANCES))], axis=1)
    noise = random.standard_normal((len(labels), DIMENSIONS))
    return (amounts @ directions + NOISE * noise).astype(np.float32)


@cache
def problem(seed: int) -> Problem:
    """Return the data of one seed."""
    labels = concepts()
    features = generated(labels, seed)
    data = er.Dataset("generated features, MIRFlickr labels", {"features": features}, labels)
    [split] = er.protocol(f"per_class(queries=50, training=200, seed={seed})").splits(data)
    return Problem(features, labels, split)


def done(run: Run) -> dict[str, float]:
    """Fit and evaluate: on held-out training items while the learning rate is chosen, else on the test."""
    import torch
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    features, labels, split = problem(run.seed)
    train, query, database = split.train, split.query, split.database
    if run.seed == TUNING_SEED:
        held = np.arange(len(train)) % 5 == 0
        train, query, database = train[~held], train[held], train[~held]
    method = prepared(run)
    with threadpool_limits(1):
        began = time.process_time()
        method.fit(features[train], labels[train])
        seconds = time.process_time() - began
        codes = method.encode(features[query]), method.encode(features[database])
    relevance = er.SharedLabels(labels[query], labels[database], graded=True)
    return {**er.evaluate(*codes, relevance, METRICS).mean, "bits": codes[0].bits, "seconds": seconds}


def prepared(run: Run) -> Any:
    """Return the method as it comes, with the run's bits, seed and learning rate."""
    method = find("methods", f"hashing/{run.method}").load()(**FIXED.get(run.method, {}))
    known = method.get_params()
    asked = {"bits": run.bits, "seed": run.seed, "epochs": EPOCHS}
    if "learning_rate" in known:
        asked["learning_rate"] = run.factor * known["learning_rate"]
    return method.set_params(**{name: value for name, value in asked.items() if name in known})


def stored(runs: list[Run], path: Path, workers: int) -> dict[str, dict[str, float]]:
    """Return what all runs gave; those that the file does not hold are done, and added to it one by one."""
    found = json.loads(path.read_text(encoding="utf-8"))["runs"] if path.exists() else {}
    missing = [run for run in runs if run.key not in found]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(done, run): run for run in missing}
        for future in as_completed(waiting):
            found[waiting[future].key] = future.result()
            print(waiting[future].key, future.result(), flush=True)
            save(path, {"runs": found})
    return found


def save(path: Path, content: dict[str, Any]) -> None:
    """Write a JSON file that appears whole or not at all."""
    with whole(path) as beside:
        beside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def best_factor(found: dict[str, dict[str, float]], method: str, metric: str) -> float:
    """Return by what a method's learning rate is multiplied to do best on held-out items."""
    return max(FACTORS, key=lambda factor: found[Run(method, TUNING_BITS, TUNING_SEED, factor).key][metric])


def row(found: dict[str, dict[str, float]], method: str, bits: int, factor: float) -> dict[str, Any]:
    """Return one line of a table from the runs of all seeds."""
    runs = [found[Run(method, bits, seed, factor).key] for seed in SEEDS]
    values = {metric: np.array([run[metric] for run in runs]) for metric in METRICS}
    return {
        "method": method,
        "bits": runs[0]["bits"],
        "factor": factor,
        "mean": {metric: float(each.mean()) for metric, each in values.items()},
        "half": {metric: half(each) for metric, each in values.items()},
        "values": {metric: each.tolist() for metric, each in values.items()},
        "seconds": float(np.mean([run["seconds"] for run in runs])),
    }


def half(values: np.ndarray) -> float:
    """Return half of Student's 95 % interval."""
    low, high = student_interval(values, 0.95)
    return (high - low) / 2


def difference(values: np.ndarray, others: np.ndarray) -> dict[str, Any]:
    """Return by how much values exceed others, seed by seed, and whether that is more than the interval."""
    ahead = values - others
    mean, margin = float(ahead.mean()), half(ahead)
    claim = "undecided" if abs(mean) <= margin else "held" if mean > 0 else "did not hold"
    return {"mean": mean, "half": margin, "claim": claim}


def claims(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return paper 1's claims, checked on the rows of one number of bits."""
    values = {r["method"]: {metric: np.array(each) for metric, each in r["values"].items()} for r in rows}

    def over(method: str, other: str, metric: str) -> dict[str, Any]:
        return difference(values[method][metric], values[other][metric])

    def leads(method: str, metric: str) -> dict[str, Any]:
        rivals = [name for name in values if name not in (method, *CONTROLS)]
        rival = max(rivals, key=lambda name: values[name][metric].mean())
        return {"rival": rival, **over(method, rival, metric)}

    pairs = {f"{a} over {b}": {m: over(a, b, m) for m in (WHOLE, CUT)} for a, b in permutations(values, 2)}
    return {
        "a cut overstates AP": {name: difference(each[CUT], each[WHOLE]) for name, each in values.items()},
        "true by AP, reversed by the cut": {
            pair: found for pair, found in pairs.items() if found[WHOLE]["mean"] > 0 > found[CUT]["mean"]
        },
        "TALR-NDCG leads by nDCG": leads("talr_ndcg", "nDCG"),
        "TALR-AP leads by AP": leads("talr_ap", WHOLE),
        "TALR-AP leads by AP@5K": leads("talr_ap", CUT),
    }


def shown(rows: list[dict[str, Any]]) -> str:
    """Return one table as text."""
    lines = []
    for r in rows:
        values = [f"{r['mean'][metric]:.4f} ± {r['half'][metric]:.4f}" for metric in METRICS]
        lines.append([r["method"], str(r["bits"]), *values, f"{r['seconds']:.1f}"])
    return text_table(["generated features", "bits", *METRICS, "CPU s"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "multilabel.json")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    trials = [Run(method, TUNING_BITS, TUNING_SEED, factor) for method in TUNED for factor in FACTORS]
    found = stored(trials, arguments.out, arguments.workers)
    made_for = {method: find("methods", f"hashing/{method}").load().metric for method in TUNED}
    factors = dict.fromkeys((*CONTROLS, *UNTUNED), 1.0)
    factors |= {method: best_factor(found, method, metric) for method, metric in made_for.items()}
    finals = [Run(name, bits, seed, factor) for seed in SEEDS for bits in BITS for name, factor in factors.items()]
    found = stored(finals, arguments.out, arguments.workers)
    tables = {bits: [row(found, name, bits, factor) for name, factor in factors.items()] for bits in BITS}
    for rows in tables.values():
        print(shown(rows), json.dumps(claims(rows), indent=1), sep="\n")
    save(
        arguments.out,
        {
            "features": "generated",
            "labels": "MIRFlickr, 24 concepts",
            "tables": tables,
            "claims": {bits: claims(rows) for bits, rows in tables.items()},
            "runs": dict(sorted(found.items())),
        },
    )


if __name__ == "__main__":
    main()
