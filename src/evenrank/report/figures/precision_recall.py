"""Precision against recall, at the ends of tie groups, where no tie order matters."""

from __future__ import annotations

from evenrank.report.contents import Contents
from evenrank.report.curve_panels import curve_panels, stored
from evenrank.report.figure import Axis, Figure
from evenrank.report.panels import source

TITLE = "Precision and recall"
ORDER = 50
NEEDS = "curves of final runs"


def draw(contents: Contents) -> Figure | None:
    """Return the mean precision at each recall, a line a method."""
    recall, precision = Axis("recall", low=0, high=1), Axis("precision", low=0, high=1.02)
    panels = curve_panels(contents, lambda study: stored(study, "precision-recall"), recall, precision)
    caption = (
        "Precision after retrieving whole tie groups, nearest first, until that share of the relevant items is found; "
        "mean over queries. First repeat of each."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None
