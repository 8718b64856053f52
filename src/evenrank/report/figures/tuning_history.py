"""What each trial of the search for hyper-parameters was worth, and the best so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from evenrank.report.contents import Contents
from evenrank.report.figure import Axis, Figure, Line, Panel, Points
from evenrank.report.panels import CURVES, slots, source, trials_by_width
from evenrank.report.study import Trial

TITLE = "Tuning history"
ORDER = 100
NEEDS = "trials of tuning"


def draw(contents: Contents) -> Figure | None:
    """Return the value of every trial and the best so far, a line a method; a panel a width."""
    panels = tuple(_panel(contents, width, [*methods.values()]) for width, methods in trials_by_width(contents).items())
    caption = (
        f"Marks: {contents.plan.judge} of each trial on held-out training items, mean over folds; line: the best "
        "so far. Trials that failed or were given up have no mark. The test set plays no part in this."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None


def _panel(contents: Contents, width: str, methods: list[list[Trial]]) -> Panel:
    """Return the panel of a width; of many methods those with the best trials."""
    ranked = sorted(methods, key=lambda trials: -max(trial.value or 0.0 for trial in trials))
    series = tuple(part for trials in ranked[:CURVES] for part in _method(contents, trials))
    note = f"The best {CURVES} methods; {len(ranked) - CURVES} more are not shown." if len(ranked) > CURVES else ""
    metric = Axis(f"{contents.plan.judge} of held-out items (mean over folds)")
    last = max(trial.number for trials in ranked for trial in trials) + 1
    ticks = tuple(range(1, last + 1, -(-last // 10)))
    return Panel(width, Axis("trial", ticks=ticks), metric, series, note)


def _method(contents: Contents, trials: Sequence[Trial]) -> Iterator[Line | Points]:
    ordered = sorted(trials, key=lambda trial: trial.number)
    numbers = [trial.number + 1 for trial in ordered]
    values = [trial.value or 0.0 for trial in ordered]
    slot = slots(contents)[ordered[0].method]
    settings = tuple(
        ", ".join(f"{name} {_short(value)}" for name, value in trial.parameters.items()) for trial in ordered
    )
    yield Line(ordered[0].label, numbers, np.maximum.accumulate(values), slot, steps=True)
    yield Points(ordered[0].label, numbers, values, slot, settings)


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
