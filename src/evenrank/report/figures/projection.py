"""The database in the plane of its two principal components, coloured by class."""

from __future__ import annotations

from evenrank.report.contents import Contents
from evenrank.report.figure import Axis, Figure
from evenrank.report.panels import source
from evenrank.report.plane_panels import planes

TITLE = "Codes in the plane"
ORDER = 130
NEEDS = "final runs with a projection of their database"


def draw(contents: Contents) -> Figure | None:
    """Return a point an item, a series a class; a panel a method and width, the best of many."""
    axes = (Axis("first principal component"), Axis("second principal component"))
    panels, left_out = planes(contents, "projection", axes)
    caption = (
        "A draw of at most 1,000 database items in the plane of their two principal components: distances in the plane "
        f"are only hints at those of the codes. First repeat of each.{left_out}"
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None
