"""What quality costs: time to fit, time to encode an item, size of an item, and who is not beaten in both."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from evenrank.report.contents import Contents
from evenrank.report.figure import BOUND, Axis, Figure, Line, Panel, Points, Series
from evenrank.report.panels import judge, repeats, slots, source, width
from evenrank.report.study import Study, average

TITLE = "Cost against quality"
ORDER = 90
NEEDS = "final runs with their costs"

COSTS = {
    "fit": ("time to fit", "time to fit (s)", 1.0),
    "encode": ("time to encode", "time to encode an item (µs)", 1e6),
    "bytes": ("size", "size of an encoded item (bytes)", 1.0),
}
SHOWN = 120  # points of a panel


def draw(contents: Contents) -> Figure | None:
    """Return a point a method and width, and the Pareto front: nobody else is both cheaper and better."""
    searched = contents.searched
    panels = tuple(
        panel
        for what in searched
        for cost in COSTS
        for panel in _panel(contents, cost, what, several=len(searched) > 1)
    )
    caption = (
        "Mean quality and mean cost of each method and width, on the machine of the run. Line: the Pareto front, "
        f"those to which no other is both cheaper and at least as good. Means over {repeats(contents.studies)}."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None


def _panel(contents: Contents, cost: str, what: str, *, several: bool) -> Iterator[Panel]:
    name, title, scale = COSTS[cost]
    mine = [study for study in contents.studies if study.searched == what]
    metric = judge(contents, mine)
    points = [(study, average(study.costs.get(cost)) * scale, average(study.values[metric])) for study in mine]
    points = sorted((point for point in points if point[1] > 0 and not np.isnan(point[2])), key=lambda point: -point[2])
    if not points:
        return
    left_out = len(points) - SHOWN
    note = f"The best {SHOWN}; {left_out} more are not shown." if left_out > 0 else ""
    series: tuple[Series, ...] = (_front(points), *_points(contents, points[:SHOWN]))
    panel = f"{name}, {what}" if several else name
    yield Panel(panel, Axis(title, log=True), Axis(f"{metric} (mean)"), series, note)


def _points(contents: Contents, points: list[tuple[Study, float, float]]) -> Iterator[Points]:
    """Yield the points of each method; each says its width when pointed at."""
    place = slots(contents)
    for label in dict.fromkeys(study.label for study, *_ in points):
        mine, costs, values = zip(*(point for point in points if point[0].label == label), strict=True)
        texts = tuple(" ".join(filter(None, (study.label, width(study)))) for study in mine)
        yield Points(label, costs, values, place[mine[0].method], texts)


def _front(points: list[tuple[Study, float, float]]) -> Line:
    """Return the front, from the cheapest to the best."""
    front: list[tuple[float, float]] = []
    for _, cost, value in sorted(points, key=lambda point: (point[1], -point[2])):
        if not front or value > front[-1][1]:
            front.append((cost, value))
    costs, values = zip(*front, strict=True)
    return Line("Pareto front", costs, values, BOUND, steps=True)
