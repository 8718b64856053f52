"""Precision among the first k items, for every k."""

from __future__ import annotations

from evenrank.report.contents import Contents
from evenrank.report.curve_panels import curve_panels, stored
from evenrank.report.figure import Axis, Figure
from evenrank.report.panels import source

TITLE = "Precision at k"
ORDER = 60
NEEDS = "curves of final runs"


def draw(contents: Contents) -> Figure | None:
    """Return the mean precision of the first k items, a line a method."""
    ranks, precision = Axis("k (items retrieved)", log=True), Axis("precision at k", low=0, high=1.02)
    panels = curve_panels(contents, lambda study: stored(study, "precision"), ranks, precision)
    caption = (
        "Share of relevant items among the first k, expected over all tie orders; mean over queries (at most 1,000 of "
        "the first split). First repeat of each."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None
