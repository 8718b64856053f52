"""Where the true positives lie: relevant items at each Hamming distance (paper 2, Fig. 7)."""

from __future__ import annotations

from evenrank.report.contents import Contents
from evenrank.report.curve_panels import Curve, curve_panels
from evenrank.report.figure import Axis, Figure
from evenrank.report.panels import source
from evenrank.report.study import Study

TITLE = "True positives by distance"
ORDER = 70
NEEDS = "final runs of hash codes, with the items at each distance"


def draw(contents: Contents) -> Figure | None:
    """Return the mean number of relevant items at each Hamming distance, a line a method."""
    distance, found = Axis("Hamming distance (bits)"), Axis("relevant items (mean per query)")
    panels = curve_panels(contents, _hits, distance, found, dots=True)
    caption = (
        "Relevant items at each Hamming distance from the query; mean over queries (at most 1,000 of the first split). "
        "Good codes put them at small distances. First repeat of each."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None


def _hits(study: Study) -> Curve | None:
    hits = study.exhibits.get("hits")
    return (hits["distance"], hits["relevant"]) if hits else None
