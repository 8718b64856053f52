"""The database laid out by t-SNE, which keeps neighbours together, coloured by class."""

from __future__ import annotations

from evenrank.report.contents import Contents
from evenrank.report.figure import Axis, Figure
from evenrank.report.panels import source
from evenrank.report.plane_panels import planes

TITLE = "Neighbours in the plane"
ORDER = 135
NEEDS = "final runs with a layout of their database by neighbours"


def draw(contents: Contents) -> Figure | None:
    """Return a point an item, a series a class; a panel a method and width, the best of many."""
    panels, left_out = planes(contents, "tsne", (Axis("", bare=True), Axis("", bare=True)))
    caption = (
        "A draw of at most 250 database items, laid out by t-SNE (van der Maaten and Hinton 2008): items that lie "
        "close are close by their codes; how far groups lie apart, and how large they are, means nothing. First "
        f"repeat of each.{left_out}"
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None
