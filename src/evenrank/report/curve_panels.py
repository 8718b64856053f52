"""Panels of curves: one line a method, from what final jobs left of their first repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evenrank.report.contents import Contents
from evenrank.report.figure import Axis, Line, Numbers, Panel
from evenrank.report.panels import CURVES, groups, slots
from evenrank.report.study import Study

Curve = tuple[Numbers, Numbers]


def curve_panels(
    contents: Contents,
    find: Callable[[Study], Curve | None],
    x: Axis,
    y: Axis,
    *,
    steps: bool = False,
    dots: bool = False,
    beside: Callable[[Sequence[Study]], tuple[Line, ...]] = lambda studies: (),
) -> tuple[Panel, ...]:
    """Return a panel for each thing searched at each width.

    `find` returns a study's curve, None: it has none; `beside` the lines that stand beside those of a panel's studies.
    """
    place = slots(contents)
    curves = {study: curve for study in contents.studies if (curve := find(study)) is not None}

    def lines(studies: Sequence[Study]) -> tuple[Line, ...]:
        return tuple(
            Line(study.label, *curves[study], place[study.method], steps=steps, dots=dots) for study in studies
        )

    return tuple(
        Panel(group.title, x, y, lines(group.studies) + beside(group.studies), group.note)
        for group in groups(contents, list(curves), CURVES)
    )


def stored(study: Study, name: str) -> Curve | None:
    """Return a curve that a final job left, by name."""
    curve = study.exhibits.get("curves", {}).get(name)
    return (curve["x"], curve["y"]) if curve else None
