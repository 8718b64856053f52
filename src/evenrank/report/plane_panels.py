"""Panels of a database in the plane: a point an item, a series a class, a panel a method and width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evenrank.report.contents import Contents
from evenrank.report.figure import MUTED, Axis, Panel, Points
from evenrank.report.panels import best_first, judge, width
from evenrank.report.study import Study

CLASSES = 14  # that can be told apart; the others are grey
SHOWN = 12  # panels


def planes(contents: Contents, exhibit: str, axes: tuple[Axis, Axis]) -> tuple[tuple[Panel, ...], str]:
    """Return the panels of the exhibit of that name, of the best where there are many, and who is left out in words."""
    first = {study.key: study for study in reversed(contents.studies) if exhibit in study.exhibits}
    studies = [study for study in contents.studies if study in first.values()]
    chosen = best_first(studies, judge(contents, studies))[:SHOWN]
    panels = tuple(panel for study in studies if study in chosen for panel in _panel(study, exhibit, axes))
    left_out = len(studies) - len(chosen)
    return panels, f" The best {SHOWN}; {left_out} more are not shown." if left_out else ""


def _panel(study: Study, exhibit: str, axes: tuple[Axis, Axis]) -> Iterator[Panel]:
    shown = study.exhibits[exhibit]
    labels = [str(label) for label in shown["label"]]
    common = sorted(dict.fromkeys(labels), key=lambda label: (-labels.count(label), label))
    series = tuple(_points(shown, labels, label, slot) for slot, label in enumerate(sorted(common[:CLASSES])) if label)
    rest = [place for place, label in enumerate(labels) if label not in common[:CLASSES] or not label]
    if rest:
        name = "other classes" if series else ""
        series = (Points(name, *_at(shown, rest), MUTED, tuple(labels[place] for place in rest)), *series)
    if series:
        title = ", ".join(filter(None, (study.label, width(study))))
        yield Panel(title, *axes, series)


def _points(shown: dict[str, Any], labels: list[str], label: str, slot: int) -> Points:
    return Points(label, *_at(shown, [place for place, each in enumerate(labels) if each == label]), slot)


def _at(shown: dict[str, Any], places: list[int]) -> tuple[list[float], list[float]]:
    return [shown["x"][place] for place in places], [shown["y"][place] for place in places]
