"""Which studies stand in one panel of a figure, and in which colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenrank.report.contents import Contents
from evenrank.report.figure import MUTED, MUTED_TOO
from evenrank.report.study import CONTROLS, Study

CURVES = 12  # of them can be told apart in one panel
ROWS = 40  # of them can be read in one panel


class Group(NamedTuple):
    """The studies of one thing searched at one width, best first, and how many more there would be."""

    title: str
    studies: list[Study]
    left_out: int

    @property
    def note(self) -> str:
        """Return what is not shown."""
        return f"The best {len(self.studies)}; {self.left_out} more are not shown." if self.left_out else ""


def groups(contents: Contents, studies: Sequence[Study], limit: int) -> list[Group]:
    """Return the studies by what was searched and width; of many the best, chance and trivial solution among them."""
    found: dict[tuple[str, str], list[Study]] = {}
    for study in studies:
        found.setdefault((study.searched, width(study)), []).append(study)
    judge = contents.plan.judge if any(contents.plan.judge in study.values for study in studies) else ""
    metric = judge or contents.plan.metrics[0]
    several = len({searched for searched, _ in found}) > 1, len({words for _, words in found}) > 1
    return [
        _group(", ".join(part for part, shown in zip(key, several, strict=True) if shown and part), mine, metric, limit)
        for key, mine in found.items()
    ]


def _group(title: str, mine: list[Study], metric: str, limit: int) -> Group:
    ranked = sorted(mine, key=lambda study: -mean(study, metric))
    controls = [study for study in ranked if study.control]
    kept = {id(study) for study in [*controls, *(study for study in ranked if not study.control)][:limit]}
    return Group(title, [study for study in ranked if id(study) in kept], max(0, len(mine) - limit))


def mean(study: Study, metric: str) -> float:
    """Return the mean over repeats; -inf where there is no value, which ranks last."""
    values = study.values.get(metric, np.empty(0))
    values = values[~np.isnan(values)]
    return float(values.mean()) if len(values) else -np.inf


def width(study: Study) -> str:
    """Return the width in words: bits of codes, dimensions of embeddings."""
    coded = bool(study.codes) or "usage" in study.exhibits or study.kind == "hashing"
    return f"{study.width} {'bits' if coded else 'dimensions'}" if study.width else ""


def slots(contents: Contents) -> dict[str, int]:
    """Return the place in the palette of each method of the plan; chance and trivial solution are muted."""
    controls = {each.title: CONTROLS.get(each.name.rsplit("/", 1)[-1], "") for each in contents.plan.methods}
    coloured = [method for method, control in controls.items() if not control]
    muted = {method: MUTED if control == "chance" else MUTED_TOO for method, control in controls.items() if control}
    return {method: place for place, method in enumerate(coloured)} | muted


def source(contents: Contents) -> str:
    """Return what a figure is from: the plan and its data."""
    plan = contents.plan
    return f"{contents.title}: {plan.dataset}, {plan.protocol}, plan {plan.hash[:12]}."


def repeats(studies: Sequence[Study]) -> str:
    """Return how many repeats the studies have, in words."""
    counts = sorted({len(study.repeats) for study in studies})
    words = " to ".join(str(count) for count in (counts[:1] + counts[-1:] if len(counts) > 1 else counts))
    return f"{words} repeat{'' if counts == [1] else 's'} each"
