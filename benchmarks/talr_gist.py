"""Paper 1's Table 3 and appendix D in small: objectives for linear hash functions on real GIST features.

The features are those of 22,019 CIFAR-10 images (the GIST of 22K LabelMe is not at hand), split as paper 1 does.

- Table 3: LabelMe protocol, four levels of relevance by distance, test nDCG. Tie-aware NDCG against mutual information,
  DPSH and DTSH, which take every level above 0 for similar, and against the untrained map.
- Appendix D: 100 queries and 500 training items a class, test AP of tie-aware AP: alpha fixed at 40 against alpha
  growing geometrically, in three ranges (the paper does not say its schedule).

Tuning is equal and small: nine settings an objective and number of bits (three learning rates × three values of its
own parameter; three learning rates in appendix D), each trained once on 4,000 of the 5,000 training items of a split
that no final run uses, and judged by the metric on the other 1,000, which query them. Final runs repeat the best
setting on five other splits; there too the 1,000 choose the epoch. Adam for all, batches of 250, 20 epochs; mean ±
Student's 95 % interval.

    EVENRANK_DATA=FOLDER python benchmarks/talr_gist.py [--workers 2] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import evenrank as er
from evenrank.intervals import student_interval

RATES = (0.003, 0.01, 0.03)
TRIED: dict[str, dict[str, tuple[float, ...]]] = {  # what is tuned beside the learning rate
    "tie_aware_dcg": {"alpha": (4.0, 12.0, 40.0)},
    "mutual_information": {"alpha": (4.0, 12.0, 40.0)},
    "dpsh": {"quantisation": (0.1, 3.0, 100.0)},
    "dtsh": {"quantisation": (0.001, 0.03, 1.0)},
}
FIXED: dict[str, dict[str, Any]] = {"dtsh": {"positives": 10, "negatives": 50}}  # triplets drawn an item: 500
BITS, APPENDIX_BITS = (16, 32), (12, 24, 32, 48)
GROWTHS = (None, (40.0, 4000.0), (4.0, 400.0), (1.0, 40.0))  # of alpha in appendix D, beside a fixed 40
TUNING_SEED, SEEDS = 100, (0, 1, 2, 3, 4)
EPOCHS, BATCH = 20, 250
PROTOCOLS = {"nDCG": "labelme", "AP": "per_class"}


class Problem(NamedTuple):
    """Features scaled as the protocol says, the split, and who is relevant to whom in training and in the test."""

    features: np.ndarray
    split: er.Split
    training: er.Relevance
    test: er.Relevance


class Run(NamedTuple):
    """One training: what is asked, by which metric, on which split."""

    metric: str
    objective: str
    keywords: tuple[tuple[str, Any], ...]
    rate: float
    bits: int
    seed: int
    growth: tuple[float, float] | None = None  # of alpha, from and to; None: it stays


@cache
def problem(metric: str, seed: int) -> Problem:
    data = er.dataset("bundle(path='cifar10-gist22k')")
    protocol = er.protocol(f"{PROTOCOLS[metric]}(seed={seed})")
    [split] = protocol.splits(data)
    centred = data.modalities["image"] - data.modalities["image"][split.train].mean(axis=0)
    features = (centred / np.linalg.norm(centred, axis=1, keepdims=True)).astype(np.float32)
    rows = split.train
    if metric == "AP":
        training: er.Relevance = er.SameLabel(data.labels[rows], data.labels[rows])
    else:
        within = er.WithinDistance(features[rows], features[rows], features[rows], sample=len(rows))
        training = er.Graded(within.levels[within.block()])
    return Problem(features, split, training, protocol.relevance(data, split))


def trained(run: Run) -> dict[str, float]:
    """Return the validation and the test value of one run."""
    import torch

    from evenrank.catalog import find
    from evenrank.continuation import Continuation
    from evenrank.training import Training, Validation, encode, linear, train

    torch.set_num_threads(1)
    began = time.perf_counter()
    features, split, relevance, test = problem(run.metric, run.seed)
    items, places = features[split.train], np.arange(len(split.train))
    held, known = places[::5], places[places % 5 > 0]
    model = linear(items.shape[1], run.bits, run.seed)
    best = float("nan")
    if run.objective != "untrained":
        validation = Validation(
            queries=items[held], database=items[known], relevance=relevance.take(held, known), metrics=[run.metric]
        )
        steps = EPOCHS * (len(known) // BATCH)
        history = train(
            model,
            find("objectives", run.objective).load()(**dict(run.keywords)),
            items[known],
            relevance.take(known, known),
            settings=Training(
                epochs=EPOCHS,
                batch=BATCH,
                optimiser="adam",
                learning_rate=run.rate,
                weight_decay=0,
                check=2,
                seed=run.seed,
            ),
            validation=validation,
            continuation=Continuation.geometric(start=run.growth[0], end=run.growth[1], steps=steps)
            if run.growth
            else None,
        )
        best = max(check.metrics[run.metric] for check in history.checks)
    value = float("nan")
    if run.seed != TUNING_SEED:
        codes = er.Codes.from_signs(encode(model, features))
        value = er.evaluate(codes[split.query], codes[split.database], test, [run.metric]).mean[run.metric]
    return {"validation": best, "test": value, "seconds": time.perf_counter() - began}


def settings(metric: str, objective: str, bits: int, growth: tuple[float, float] | None) -> list[Run]:
    """Return the nine (three) settings that are tried."""
    grid = TRIED[objective] if metric == "nDCG" else {"alpha": (40.0,)}
    fixed = tuple(FIXED.get(objective, {}).items())
    return [
        Run(metric, objective, (*zip(grid, values, strict=True), *fixed), rate, bits, TUNING_SEED, growth)
        for rate in RATES
        for values in product(*grid.values())
    ]


def row(
    pool: ProcessPoolExecutor, metric: str, objective: str, bits: int, growth: tuple[float, float] | None
) -> dict[str, Any]:
    """Tune, then repeat: one line of a table."""
    if objective == "untrained":
        chosen, tuned = Run(metric, objective, (), 0.0, bits, 0), []
    else:
        asked = settings(metric, objective, bits, growth)
        tuned = [found["validation"] for found in pool.map(trained, asked)]
        chosen = asked[int(np.argmax(tuned))]
    finals = list(pool.map(trained, [chosen._replace(seed=seed) for seed in SEEDS]))
    values = np.array([found["test"] for found in finals])
    low, high = student_interval(values, 0.95)
    about = {"objective": objective, "bits": bits, "growth": growth, "rate": chosen.rate, **dict(chosen.keywords)}
    line = {**about, "mean": float(values.mean()), "half": (high - low) / 2, "values": values.tolist(), "tuning": tuned}
    print({key: line[key] for key in (*about, "mean", "half")}, f"{finals[0]['seconds']:.1f} s a run", flush=True)
    return line


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "talr_gist.json")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--only", choices=["table 3", "appendix D"], help="run one part, keep the other as it is stored"
    )
    arguments = parser.parse_args()
    lines = [("nDCG", objective, bits, None) for bits in BITS for objective in ("untrained", *TRIED)]
    more = [("AP", "tie_aware_ap", bits, growth) for growth in GROWTHS for bits in APPENDIX_BITS]
    parts = {"table 3": lines, "appendix D": more}
    asked = [arguments.only] if arguments.only else list(parts)
    found = json.loads(arguments.out.read_text(encoding="utf-8")) if arguments.only else {}
    workers = ProcessPoolExecutor(arguments.workers, mp_context=get_context("spawn"))
    with workers as pool, ThreadPoolExecutor(len(lines) + len(more)) as threads:  # a thread waits for a line's runs
        for part in asked:
            found[part] = list(threads.map(lambda line: row(pool, *line), parts[part]))
    found |= {"seeds": len(SEEDS), "epochs": EPOCHS, "batch": BATCH, "rates": RATES, "tried": TRIED}
    arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
