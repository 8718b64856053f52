"""Paper 4 whole: every cross-media method by the extendable protocol, in both directions, real-valued and binary.

Three datasets, five folds each, half of the classes seen:

- wikipedia: the publisher's features, SIFT words and LDA topics (128 and 10 dimensions)
- wikipedia-cnn: features of a network (128 and 100)
- pascal-sentence: EfficientNet-Lite0 features (1,280), and the captions as shares of 1,024 groups of words. Words and
  groups are learned from the captions of the database part, of all classes and without labels: the paper's dictionary,
  too, knows the words of unseen classes.

Methods are those of the catalog as they come, and a few more settings (MORE). Real-valued ones have as many dimensions
as there are seen classes, binary ones 8, 16 and 32 bits, or as many as the features allow. Stored are AP, tie-aware;
AP by trapezoids with ties broken by database order, as published; CMC at ranks 1 to 15; all of them fold by fold; and
processor seconds, of one thread. Each run is stored when it is done, and a second call does only what is missing.

    EVENRANK_DATA=FOLDER python benchmarks/cross_media.py [--workers 2] [--out FILE] [--only METHOD …]
    EVENRANK_DATA=FOLDER python benchmarks/cross_media.py --closed-form     time those that take no gradient steps
    python benchmarks/cross_media.py --plot docs/figures/cmc_wikipedia.png  draw CMC curves from what is stored
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import fields, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import evenrank as er
from evenrank.catalog import entries, find, make
from evenrank.cross_media import Search, cross_media
from evenrank.formats.whole import whole

DATA = ("wikipedia", "wikipedia-cnn", "pascal-sentence")
BITS = (8, 16, 32)
RANKS = np.arange(1, 16)
TRAPEZOID = "AP(interpolation=trapezoid)"
MORE = ("cca(regularisation=0)", "cmfh(updates=released)", "scm_orth(padding=random)")  # as the authors ran them
CAPTIONS = "bag_of_words(centres=1024, vectors=ppmi)"
GRADIENTS = ("chance", "deep_semantic_matching", "deep_trivial", "lssh", "mmnn", "seph", "talr_ap")  # not closed form


class Run(NamedTuple):
    """One method on one dataset, at a number of bits; 0 for real-valued methods."""

    data: str
    method: str
    bits: int

    @property
    def key(self) -> str:
        """What the run is stored under."""
        return "/".join(map(str, self))


@cache
def dataset(name: str) -> er.Dataset:
    """Return images and texts as features."""
    features = er.dataset(f"bundle(path='{name}')")
    if name != "pascal-sentence":
        return features
    texts = er.dataset("pascal_sentence").modalities["text"]
    extract = make("extractors", CAPTIONS).fit(texts[features.train])
    return replace(features, modalities={"image": features.modalities["image"], "text": extract(texts)})


def methods() -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield every method with the numbers of bits to run it at."""
    names = [entry.name.removeprefix("crossmedia/") for entry in entries("methods") if "crossmedia/" in entry.name]
    for text in (*names, *MORE):
        keywords = {field.name for field in fields(find("methods", f"crossmedia/{text.partition('(')[0]}").load())}
        yield text, BITS if "bits" in keywords else (0,)


def runs() -> list[Run]:
    """Return all runs."""
    return [Run(data, text, bits) for data in DATA for text, widths in methods() for bits in widths]


def done(run: Run) -> dict[str, Any]:
    """Return what a run is kept for."""
    import torch
    from threadpoolctl import threadpool_limits

    torch.set_num_threads(1)
    began = time.process_time()
    with threadpool_limits(1), warnings.catch_warnings(action="ignore"):  # fewer bits than asked for are stored
        method = make("methods", f"crossmedia/{run.method}")
        if run.bits:
            method.set_params(bits=run.bits)
        try:
            found = list(cross_media(method, dataset(run.data), metrics=["AP"]))
        except ValueError as error:
            return {"failed": str(error)}
        searches: dict[str, dict[str, list[Any]]] = {}
        for search in found:
            mine = searches.setdefault(f"{search.search}, {search.direction}", {})
            for name, value in measured(search).items():
                mine.setdefault(name, []).append(value)
    width = getattr(found[0].queries, "bits", None) or found[0].queries.shape[1]
    fits = [search.seconds for search in found[::4]]
    seconds = {"fit": float(np.mean(fits)), "seconds": time.process_time() - began}
    return {"searches": searches, "width": width, **seconds}


def measured(search: Search) -> dict[str, Any]:
    """Return what is kept of one search of one fold."""
    by_index = er.evaluate(search.queries, search.database, search.relevance, [TRAPEZOID, "CMC@1"], ties="index")
    return {
        "AP": round(search.result.mean["AP"], 6),
        "trapezoid": round(by_index.mean[TRAPEZOID], 6),
        "CMC": search.result.curve("CMC", RANKS).y.round(5).tolist(),
        "rank 1 by index": round(by_index.mean["CMC@1"], 6),
    }


def write(stored: dict[str, Any], path: Path) -> None:
    """Write what is stored, a line a run."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(stored[key])}" for key in sorted(stored))
    with whole(path) as beside:
        beside.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def run_missing(missing: list[Run], stored: dict[str, Any], path: Path, workers: int) -> None:
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(done, run): run for run in missing}
        for number, future in enumerate(as_completed(waiting), 1):
            key = waiting[future].key
            stored[key] = future.result()
            write(stored, path)
            shown = {
                name: round(float(np.mean(mine["AP"])), 4) for name, mine in stored[key].get("searches", {}).items()
            }
            print(f"{number} of {len(missing)}: {key} {shown or stored[key]}", flush=True)


def closed_form(workers: int) -> dict[str, Any]:
    """Return how long all methods without gradient steps take on Wikipedia: five folds, both directions."""
    asked = [run for run in runs() if run.data == "wikipedia" and run.method not in GRADIENTS]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        began = time.perf_counter()
        seconds = [found["seconds"] for found in pool.map(done, asked)]
        waited = time.perf_counter() - began
    return {"runs": [run.key for run in asked], "workers": workers, "waited": waited, "processor": sum(seconds)}


def plot(stored: dict[str, Any], path: Path) -> None:
    """Draw the CMC curves of one dataset: real-valued methods above, 16 bits below; AP in % before each name."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 4, figsize=(19, 10), sharex=True, layout="constrained")
    for line, bits in zip(axes, (0, 16), strict=True):
        curves = drawn(stored, path.stem.removeprefix("cmc_"), bits)
        colours = dict(zip(sorted(curves), pyplot.cm.tab20(np.arange(len(curves)) % 20), strict=True))
        for axis, search in zip(line, next(iter(curves.values())), strict=True):
            for name in sorted(curves, key=lambda name: -np.mean(curves[name][search]["AP"])):
                mine, colour = curves[name][search], "black" if name == "chance" else colours[name]
                label = f"{100 * np.mean(mine['AP']):.1f} {name}"
                axis.plot(RANKS, np.mean(mine["CMC"], axis=0), "-o", color=colour, markersize=3, label=label)
            axis.set(title=f"{search}{f', {bits} bits' if bits else ''}", xlabel="rank", ylim=(0, 1))
            axis.legend(fontsize=7, loc="lower right")
        line[0].set_ylabel("CMC")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)


def drawn(stored: dict[str, Any], data: str, bits: int) -> dict[str, Any]:
    """Return the searches of each method that is drawn: as it comes, real-valued (0 bits) or binary, and chance."""
    keys = {Run(data, name, bits).key: name for name, _ in methods() if name not in MORE}
    keys |= {Run(data, "chance", 0).key: "chance"}
    return {name: stored[key]["searches"] for key, name in keys.items() if "searches" in stored.get(key, {})}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "cross_media.json")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", nargs="+", metavar="METHOD", help="run these methods, whatever is stored of them")
    parser.add_argument("--closed-form", action="store_true", help="time the methods that take no gradient steps")
    parser.add_argument("--plot", type=Path, metavar="cmc_DATA.png", help="draw from what is stored")
    arguments = parser.parse_args()
    stored = json.loads(arguments.out.read_text(encoding="utf-8")) if arguments.out.exists() else {}
    if arguments.plot:
        plot(stored, arguments.plot)
    elif arguments.closed_form:
        stored["closed form"] = closed_form(arguments.workers)
        print(stored["closed form"])
        write(stored, arguments.out)
    else:
        asked: Iterable[Run] = (run for run in runs() if run.method in (arguments.only or [run.method]))
        missing = [run for run in asked if arguments.only or run.key not in stored]
        missing.sort(key=lambda run: run.method in GRADIENTS)  # those that take long come last
        run_missing(missing, stored, arguments.out, arguments.workers)


if __name__ == "__main__":
    main()
