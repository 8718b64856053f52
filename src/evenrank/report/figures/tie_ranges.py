"""What tie-breaking alone can make of every method's value (paper 1, Fig. 3)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from evenrank.report.contents import Contents
from evenrank.report.figure import Axis, Figure, Panel, Whiskers
from evenrank.report.panels import ROWS, Group, groups, repeats, slots, source
from evenrank.report.study import Study, average

TITLE = "Tie-break ranges"
ORDER = 10
NEEDS = "final runs with metrics of rankings, and their ranges over tie orders"


def draw(contents: Contents) -> Figure | None:
    """Return a range a method, from the unluckiest to the luckiest order of tied items; a panel a metric and width."""
    shown = [study for study in contents.studies if study.ties]
    metrics = [metric for metric in contents.plan.metrics if any(metric in study.ties for study in shown)]
    panels = tuple(
        panel
        for metric in metrics
        for group in groups(contents, shown, ROWS)
        for panel in _panel(contents, metric, group)
    )
    if not panels:
        return None
    caption = (
        "Bar: from the mean over queries if every tie is broken unluckily to that if luckily; mark: the expected "
        "value. Where two bars overlap, a tool that breaks ties by order could report either method first. Means "
        f"over {repeats(shown)}."
    )
    return Figure(TITLE, panels, caption, source(contents))


def _panel(contents: Contents, metric: str, group: Group) -> Iterator[Panel]:
    place = slots(contents)
    found = [(study, *_range(study, metric)) for study in group.studies]
    found = sorted((each for each in found if not math.isnan(sum(each[1:]))), key=lambda each: -each[2])
    series = tuple(
        Whiskers(study.label, (study.label,), [worst], [middle], [best], place[study.method])
        for study, worst, middle, best in found
    )
    if series:
        title = ", ".join(filter(None, (metric, group.title)))
        rows = Axis("", rows=tuple(study.label for study, *_ in found))
        yield Panel(title, Axis(f"{metric} (mean over queries)"), rows, series, group.note)


def _range(study: Study, metric: str) -> tuple[float, float, float]:
    """Return worst, expected and best value, means over repeats."""
    ties = study.ties.get(metric, {})
    return average(ties.get("worst")), average(study.values.get(metric)), average(ties.get("best"))
