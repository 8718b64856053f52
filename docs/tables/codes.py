"""What papers 1 and 2 say of codes, checked: several labels, images, superclasses, the room in the hash space."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from docs.tables.hashing import title
from docs.tables.layout import markdown, stored
from evenrank.intervals import student_interval

TUNING_SEED = "100"

Runs = dict[tuple[str, int], list[dict[str, Any]]]  # (method, bits), one entry a split


def several_labels() -> str:
    """Return nDCG and AP, whole and cut, of codes of MIRFlickr's labels with generated features."""
    found = finals("multilabel")
    rows = [
        [title(name), str(bits), *(mean(mine, metric) for metric in ("nDCG", "AP")), *cuts(mine)]
        for (name, bits), mine in sorted(found.items(), key=lambda item: (item[0][1], value(item[1], "AP")))
    ]
    return markdown(["", "bits", "nDCG", "AP", "AP@5K of paper 1", "overstates by", "AP@5000, all relevant"], rows)


def cuts(mine: list[dict[str, Any]]) -> list[str]:
    """Return AP at 5,000 with both divisors, and what the paper's adds to AP."""
    paper, own = "AP(divisor=retrieved)@5000", "AP@5000"
    return [mean(mine, paper), f"{value(mine, paper) - value(mine, 'AP'):+.3f}", mean(mine, own)]


def images() -> str:
    """Return AP, LGAP, use of codes and order within a class of CIFAR-10 images."""
    return cells(
        "cifar10_images",
        {
            "AP": lambda mine: over_queries(mine, "AP"),
            "range of tie-breaking": lambda mine: f"{value(mine, 'AP worst'):.3f} … {value(mine, 'AP best'):.3f}",
            "LGAP@2": lambda mine: over_queries(mine, "LGAP@2"),
            "codes used": lambda mine: f"{value(mine, 'utilisation'):.1%}",
            "tau, GIST": lambda mine: over_queries(mine, "tau gist"),
            "tau, pixels": lambda mine: over_queries(mine, "tau pixels"),
            "no order": lambda mine: f"{value(mine, 'unordered'):.0%}",
        },
    )


def superclasses() -> str:
    """Return AP by character and by alphabet, graded nDCG, LGAP and use of codes of Omniglot."""
    metrics = {"AP, character": "AP(rel=2)", "AP, alphabet": "AP(rel=1)", "nDCG": "nDCG", "LGAP@2": "LGAP(rel=1)@2"}
    columns: dict[str, Callable[[list[dict[str, Any]]], str]] = {
        name: lambda mine, metric=metric: over_queries(mine, metric)  # type: ignore[misc]
        for name, metric in metrics.items()
    }
    return cells("omniglot_superclasses", {**columns, "codes used": lambda mine: f"{value(mine, 'utilisation'):.1%}"})


def space() -> str:
    """Return the largest share of the hash space that mAP = 1 leaves to classes of at least two codes."""
    rows = [
        [str(row["bits"]), str(row["codes"]), *(f"{row[rule]['used']} ({row[rule]['share']:.0%})" for rule in RULES)]
        for row in stored("hash_space")["rows"]
    ]
    return markdown(["bits", "codes", "most used at AP = 1", "most used with diameter &lt; gap"], rows)


RULES = ("AP = 1", "diameter < gap")


def finals(name: str) -> Runs:
    """Return the final runs of a benchmark."""
    found: Runs = {}
    for key, run in stored(name)["runs"].items():
        method, bits, seed, *_ = key.split("/")
        if seed != TUNING_SEED:
            found.setdefault((method, int(bits)), []).append(run)
    return found


def cells(name: str, columns: dict[str, Callable[[list[dict[str, Any]]], str]]) -> str:
    """Return one line a method and number of bits."""
    found = sorted(finals(name).items(), key=lambda item: item[0][1])
    rows = [[method, str(bits), *(cell(mine) for cell in columns.values())] for (method, bits), mine in found]
    return markdown(["", "bits", *columns], rows)


def value(mine: list[dict[str, Any]], metric: str) -> float:
    """Return the mean over splits."""
    return float(np.mean([run[metric] for run in mine]))


def mean(mine: list[dict[str, Any]], metric: str) -> str:
    """Return mean ± Student's half-width over splits."""
    low, high = student_interval(np.array([run[metric] for run in mine]), 0.95)
    return f"{value(mine, metric):.3f} ± {(high - low) / 2:.3f}"


def over_queries(mine: list[dict[str, Any]], metric: str) -> str:
    """Return the mean over splits ± the half-width over queries of a split."""
    return f"{value(mine, metric):.3f} ± {value(mine, f'{metric} half'):.3f}"
