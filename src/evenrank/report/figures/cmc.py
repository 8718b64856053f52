"""Cumulated match characteristic: how far down the first relevant item comes (paper 4, Figs. 3 to 9)."""

from __future__ import annotations

from evenrank.report.contents import Contents
from evenrank.report.curve_panels import curve_panels, stored
from evenrank.report.figure import Axis, Figure
from evenrank.report.panels import source

TITLE = "CMC curves"
ORDER = 40
NEEDS = "curves of final runs"


def draw(contents: Contents) -> Figure | None:
    """Return the share of queries that have met a relevant item by each rank, a line a method."""
    ranks = Axis("rank", log=True)
    share = Axis("queries with a hit (share)", low=0, high=1.02)
    panels = curve_panels(contents, lambda study: stored(study, "CMC"), ranks, share)
    caption = (
        "Share of queries that have met a relevant item by a rank, expected over all tie orders. First repeat of each."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None
