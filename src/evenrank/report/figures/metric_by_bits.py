"""Every metric against the length of codes or embeddings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from evenrank.report.contents import Contents
from evenrank.report.figure import Axis, Figure, Line, Panel
from evenrank.report.panels import CURVES, judge, repeats, slots, source, width
from evenrank.report.study import Study, average

TITLE = "Metrics by length"
ORDER = 80
NEEDS = "final runs of a method at two widths at least"


def draw(contents: Contents) -> Figure | None:
    """Return a line a method over its widths, with the interval of the mean; a panel a metric."""
    searched = contents.searched
    panels = tuple(
        panel
        for what in searched
        for metric in contents.plan.metrics
        for panel in _panel(contents, metric, what, several=len(searched) > 1)
    )
    caption = (
        f"Mean over queries and {repeats(contents.studies)}; band: Student's 95 % interval over queries and repeats."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None


def _panel(contents: Contents, metric: str, what: str, *, several: bool) -> Iterator[Panel]:
    """Yield the panel of a metric, if any method has two widths; of many methods the best at their best width."""
    found: dict[str, list[Study]] = {}
    for study in contents.studies:
        if study.searched == what and study.width and metric in study.values:
            found.setdefault(study.method, []).append(study)
    lines = sorted((mine for mine in found.values() if len(mine) > 1), key=lambda mine: -_best(contents, mine))
    if not lines:
        return
    unit = " or ".join(dict.fromkeys(width(mine[0]).split()[-1] for mine in lines))
    series = tuple(_line(contents, metric, mine) for mine in lines[:CURVES])
    title = f"{metric}, {what}" if several else metric
    note = f"The best {CURVES} methods; {len(lines) - CURVES} more are not shown." if len(lines) > CURVES else ""
    ticks = tuple(sorted({float(study.width or 0) for mine in lines for study in mine}))
    yield Panel(title, Axis(f"width ({unit})", log=True, ticks=ticks), Axis(f"{metric} (mean)"), series, note)


def _best(contents: Contents, mine: Sequence[Study]) -> float:
    values = [average(study.values[judge(contents, mine)]) for study in mine]
    return max((value for value in values if not np.isnan(value)), default=-1.0)


def _line(contents: Contents, metric: str, mine: Sequence[Study]) -> Line:
    ordered = sorted(mine, key=lambda study: study.width or 0)
    means = np.array([average(study.values[metric]) for study in ordered])
    halves = np.array([study.half_width(metric) for study in ordered])
    low, high = ((), ()) if np.isnan(halves).any() else (means - halves, means + halves)
    widths = [study.width or 0 for study in ordered]
    return Line(mine[0].label, widths, means, slots(contents)[mine[0].method], low, high, dots=True)
