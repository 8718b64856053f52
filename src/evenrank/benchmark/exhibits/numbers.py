"""The small exhibits, a few numbers of every repeat: tie ranges, costs, usage of codes, undecided first ranks."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np

from evenrank.benchmark.exhibits.plain import number
from evenrank.benchmark.final import Final
from evenrank.result import Result

Found = Mapping[str, list[Result]]  # what was searched, one result a split

USAGE = {"utilisation": "utilisation", "entropy": "entropy", "collisions": "collision_rate"}


def ties(found: Found) -> dict[str, Any]:
    """Return best, worst and standard deviation over tie orders of every metric's mean, over all splits."""
    return {what: {name: _range(results, name) for name in results[0].spreads} for what, results in found.items()}


def _range(results: list[Result], name: str) -> dict[str, float | None]:
    deviation = sqrt(sum(result.tie_std[name] ** 2 for result in results)) / len(results)  # orders are independent
    return {
        "best": number(float(np.mean([result.best[name] for result in results])), 12),
        "worst": number(float(np.mean([result.worst[name] for result in results])), 12),
        "std": number(deviation),
    }


def costs(final: Final) -> dict[str, float | None]:
    """Return seconds of a fit and items it learns from, mean over models; seconds and bytes of encoding an item."""
    seconds, items = np.sum(final.encoded, axis=0)
    return {
        "fit": number(float(np.mean([fit.seconds for fit in final.fits]))),
        "encode": number(float(seconds / items)),
        "bytes": next(iter(final.first.values())).bytes,
        "items": number(float(np.mean([fit.items for fit in final.fits]))),
    }


def codes(found: Found) -> dict[str, Any]:
    """Return how the databases use their codes, mean over splits; nothing where there are none."""
    return {
        what: {name: number(float(np.mean([result.codes[key] for result in results]))) for name, key in USAGE.items()}
        for what, results in found.items()
        if all(result.codes for result in results)
    }


def undecided(found: Found) -> dict[str, float | None]:
    """Return the share of queries whose first rank is tied between levels, mean over splits."""
    return {
        what: number(float(np.mean([result.ties["Undecided"] for result in results])))
        for what, results in found.items()
    }
