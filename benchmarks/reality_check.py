"""Paper 5's claims on CUB-200, from the stored runs of three plans.

    evenrank bench run paper5_cub200_reduced --store cub.sqlite
    evenrank bench run paper5_cub200_untuned_reduced --store cub.sqlite
    evenrank bench run paper5_cub200_batch256_reduced --store cub.sqlite
    EVENRANK_DATA=FOLDER python benchmarks/reality_check.py cub.sqlite [--out FILE]

Three claims are about final runs and need the store alone: after fair tuning the losses are close (Table 4); they seem
further apart where nobody tunes; a batch of 256 lifts FastAP more than others (Table 8). The fourth is about the way
there: lag-one autocorrelation of validation accuracy is higher for MAP@R (0.81) than for P@1 (0.73), so that MAP@R is
the better judge of checkpoints. For it every loss is trained once more a fold, with the setting that was chosen, at
full length and with a validation after each epoch; series that barely move (a standard deviation below 0.001) say
nothing and are left out. Both the series as they are and their steps from one check to the next are looked at: a trend
alone makes neighbours alike. Series that FILE holds already are not trained again.

The same fits are made from random weights, as paper 5 starts its heads, to see what the start is worth: the best
validation MAP@R of each beside Pretrained + PCA on the same fold.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.progress import track

import evenrank as er
from evenrank.benchmark import parts
from evenrank.benchmark.jobs import Job, Task
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.shipped import read_plan
from evenrank.benchmark.store import Store
from evenrank.benchmark.work import made
from evenrank.methods.embedding.pretrained_pca import PretrainedPCA

PLANS = {
    "tuned": "paper5_cub200_reduced",
    "untuned": "paper5_cub200_untuned_reduced",
    "batch 256": "paper5_cub200_batch256_reduced",
}
METRICS = ("MAP@R", "P@1")
STARTS = ("principal", "random")
STILL = 1e-3  # a series that moves less has no noise to speak of


def finals(plan: Plan, store: Store) -> dict[str, Any]:
    """Return of every method its setting, and of every way to search each metric's values over repeats."""
    found: dict[str, Any] = {}
    for row in store.rows(plan):
        if row["kind"] != "final" or row["traceback"]:
            continue
        name = row["method"].removeprefix("embedding/")
        mine = found.setdefault(name, {"parameters": row["parameters"], "seconds": [], "values": {}})
        mine["seconds"].append(round(row["seconds"], 1))
        for searched, metrics in row["metrics"].items():  # the models of folds, separated, and side by side
            for metric, value in metrics.items():
                mine["values"].setdefault(searched, {}).setdefault(metric, []).append(round(value, 6))
    return found


def spent(plan: Plan, store: Store) -> dict[str, Any]:
    """Return how many jobs a plan was, how many failed, and the seconds of all of them."""
    rows = store.rows(plan)
    return {
        "jobs": len(rows),
        "failed": sum(bool(row["traceback"]) for row in rows),
        "seconds": round(sum(row["seconds"] for row in rows)),
    }


def autocorrelation(series: np.ndarray) -> float | None:
    """Return the correlation of a series with itself one step later; None if it stands still.

    >>> autocorrelation(np.array([0.1, 0.2, 0.3, 0.4]))
    1.0
    """
    before, after = series[:-1], series[1:]
    if min(before.std(), after.std()) < STILL:
        return None
    return round(float(np.corrcoef(before, after)[0, 1]), 6)


def series(plan: Plan, store: Store, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the validation accuracies of each loss and fold, trained to the end."""
    data, folds = parts.known(folder)
    items = next(iter(data.modalities.values()))
    settings = {name: mine["parameters"] for name, mine in finals(plan, store).items()}
    names = [name for name, parameters in settings.items() if parameters]
    for name in track(names, "validation series"):
        for (fold, split), start in product(enumerate(folds), STARTS):
            task = Task(Job("tune", f"embedding/{name}", plan.dimensions[0], 0, fold), settings[name])
            method = made(plan, task).set_params(check=1, patience=None, start=start)
            held = (items[split.validation], data.labels[split.validation])
            method.fit(items[split.train], data.labels[split.train], validation=held)
            yield {"method": name, "fold": fold, "start": start} | {
                metric: [round(value, 6) for value in method.checks_[metric]] for metric in METRICS
            }


def floor(plan: Plan, folder: Path) -> list[float]:
    """Return the validation MAP@R of Pretrained + PCA, fold by fold."""
    data, folds = parts.known(folder)
    items, found = next(iter(data.modalities.values())), []
    for split in folds:
        labels = data.labels[split.validation]
        reduced = PretrainedPCA(dimensions=plan.dimensions[0]).fit(items[split.train]).encode(items[split.validation])
        result = er.evaluate(reduced, reduced, er.SameLabel(labels, labels), ["MAP@R"], exclude_self=True)
        found.append(round(float(result.mean["MAP@R"]), 6))
    return found


def correlations(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the mean autocorrelation of each metric over series in which both move, as they are and of their steps."""
    result = {}
    for what, change in (("as they are", np.asarray), ("steps", np.diff)):
        mine = [each for each in found if each["start"] == "principal"]
        pairs = [[autocorrelation(change(each[metric])) for metric in METRICS] for each in mine]
        known = np.array([pair for pair in pairs if None not in pair], float)
        result[what] = {
            "series": len(known),
            **{metric: values.round(6).tolist() for metric, values in zip(METRICS, known.T, strict=True)},
        }
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", help="where the plans' results are")
    parser.add_argument("--workspace", type=Path, help="the folder of the cut data, if the series are to be trained")
    parser.add_argument("--out", type=Path, help="write what was found as JSON")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    store, plans = Store(arguments.store), {what: read_plan(name) for what, name in PLANS.items()}
    found: dict[str, Any] = {what: finals(plan, store) for what, plan in plans.items()}
    found["spent"] = {what: spent(plan, store) for what, plan in plans.items()}
    kept = json.loads(arguments.out.read_text(encoding="utf-8")) if arguments.out and arguments.out.exists() else {}
    if arguments.workspace:
        found["series"] = kept.get("series") or list(series(plans["tuned"], store, arguments.workspace))
        found["floor"] = floor(plans["tuned"], arguments.workspace)
        found["autocorrelation"] = correlations(found["series"])
    print(json.dumps(found["spent"], indent=1))
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
