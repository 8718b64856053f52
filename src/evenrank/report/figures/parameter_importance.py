"""How far each hyper-parameter alone orders the trials: a rank correlation, and no more than that."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from typing import Any

import numpy as np

from evenrank.report.contents import Contents
from evenrank.report.figure import Axis, Bars, Figure, Panel
from evenrank.report.panels import ROWS, slots, source, trials_by_width
from evenrank.report.study import Trial

TITLE = "Importance of hyper-parameters"
ORDER = 110
NEEDS = "five trials of a method at least"

FEWEST = 5  # trials of which a rank correlation says anything


def draw(contents: Contents) -> Figure | None:
    """Return a bar a hyper-parameter, a series a method; a panel a width."""
    panels = (_panel(contents, width, methods) for width, methods in trials_by_width(contents).items())
    shown = tuple(panel for panel in panels if panel is not None)
    caption = (
        "Absolute rank correlation (Spearman) of a hyper-parameter with the value of its trials; of a choice "
        "between words the correlation ratio of ranks. Each stands alone: effects that only two of them have "
        "together are not seen."
    )
    return Figure(TITLE, shown, caption, source(contents)) if shown else None


def _panel(contents: Contents, width: str, methods: dict[str, list[Trial]]) -> Panel | None:
    bars = [
        (trials[0], name, strength)
        for trials in methods.values()
        if len(trials) >= FEWEST
        for name in trials[0].parameters
        if (strength := importance([trial.parameters.get(name) for trial in trials], _values(trials))) is not None
    ]
    if not bars:
        return None
    bars = sorted(bars, key=lambda bar: -bar[2])[:ROWS]
    place = slots(contents)
    rows = tuple(f"{trial.label}: {name}" for trial, name, _ in bars)
    series = tuple(
        Bars(trial.label, (row,), [strength], place[trial.method])
        for (trial, _, strength), row in zip(bars, rows, strict=True)
    )
    fewest = min(len(trials) for trials in methods.values() if len(trials) >= FEWEST)
    note = f"{fewest} trials at least; of so many, chance alone makes about {sqrt(2 / (pi * (fewest - 1))):.2f}."
    axis = Axis("rank correlation (absolute)", low=0, high=1)
    return Panel(width, axis, Axis("", rows=rows), series, note)


def _values(trials: Sequence[Trial]) -> np.ndarray:
    return np.array([trial.value for trial in trials], np.float64)


def importance(settings: Sequence[Any], values: np.ndarray) -> float | None:
    """Return how far settings order values, 0 to 1; None if all settings, or all values, are one.

    >>> importance([0.1, 0.2, 0.4], np.array([0.3, 0.2, 0.1]))
    1.0
    >>> importance(["a", "b", "a", "b"], np.array([1.0, 2.0, 1.0, 2.0]))
    1.0
    """
    from scipy.stats import rankdata

    if len(set(settings)) < 2 or len(set(values.tolist())) < 2:
        return None
    ranks = rankdata(values)
    ranks -= ranks.mean()
    if all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in settings):
        own = rankdata(np.array(settings, np.float64))
        own -= own.mean()
        return float(round(abs(own @ ranks) / sqrt((own @ own) * (ranks @ ranks)), 12))
    kinds = np.array([repr(each) for each in settings])
    between = sum((kinds == kind).sum() * ranks[kinds == kind].mean() ** 2 for kind in set(kinds.tolist()))
    return float(round(sqrt(between / (ranks @ ranks)), 12))
