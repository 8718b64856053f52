"""Quality of ranking against evenness of codes: mean LGAP beside mean AP (paper 2)."""

from __future__ import annotations

from collections.abc import Iterator

from evenrank.metric import parse
from evenrank.report.contents import Contents
from evenrank.report.figure import Axis, Figure, Panel, Points
from evenrank.report.panels import ROWS, Group, groups, repeats, slots, source
from evenrank.report.study import average

TITLE = "AP against LGAP"
ORDER = 30
NEEDS = "a plan with a metric of each family, AP and LGAP"


def draw(contents: Contents) -> Figure | None:
    """Return a point a method: x the plan's first AP, y its first LGAP, both means over repeats."""
    metrics = [_first(contents, family) for family in ("AP", "LGAP")]
    if None in metrics:
        return None
    shown = [study for study in contents.studies if all(metric in study.values for metric in metrics)]
    panels = tuple(
        panel for group in groups(contents, shown, ROWS) for panel in _panel(contents, group, *map(str, metrics))
    )
    caption = (
        "AP says how well items are ranked, LGAP how well codes of small Hamming distance are told apart: codes that "
        f"collapse onto a few have high AP and low LGAP. Means over queries and {repeats(shown)}."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None


def _first(contents: Contents, family: str) -> str | None:
    """Return the first metric of the plan whose family has this name."""
    return next((name for name in contents.plan.metrics if parse(name).names[0] == family), None)


def _panel(contents: Contents, group: Group, across: str, along: str) -> Iterator[Panel]:
    place = slots(contents)
    series = tuple(
        Points(study.label, [average(study.values[across])], [average(study.values[along])], place[study.method])
        for study in group.studies
    )
    if series:
        yield Panel(group.title, Axis(f"{across} (mean)"), Axis(f"{along} (mean)"), series, group.note)
