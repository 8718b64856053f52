"""How evenly a database uses its codes (paper 2, Figs. 1 and 8): few codes that hold many items make long ties."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evenrank.report.contents import Contents
from evenrank.report.curve_panels import Curve, curve_panels
from evenrank.report.figure import BOUND, Axis, Figure, Line
from evenrank.report.panels import source
from evenrank.report.study import Study

TITLE = "Use of codes"
ORDER = 20
NEEDS = "final runs of hash codes, with the use of codes"


def draw(contents: Contents) -> Figure | None:
    """Return the items that share each code, most used code first, in steps, a line a method."""
    codes, items = Axis("code, most used first", log=True), Axis("items with this code", log=True)
    panels = curve_panels(contents, _usage, codes, items, steps=True, beside=_even_use)
    caption = (
        "Database items that share a code, the most used code first (at most 4,096 codes). A line that starts low and "
        "ends far to the right uses its codes evenly; items of one code are always tied. First repeat of each."
    )
    return Figure(TITLE, panels, caption, source(contents)) if panels else None


def _usage(study: Study) -> Curve | None:
    """Return rank and number of items where each run of equally used codes begins, and the end of the last."""
    usage = study.exhibits.get("usage")
    if not usage or not usage["counts"]:
        return None
    counts = np.array(usage["counts"])
    places = np.union1d(np.flatnonzero(np.diff(counts, prepend=0)), [len(counts) - 1])
    return places + 1, counts[places]


def _even_use(studies: Sequence[Study]) -> tuple[Line, ...]:
    """Return the most even use that there can be, if all methods, but controls, have equally many items and codes."""
    used = [study.exhibits["usage"] for study in studies if not study.control]
    sizes = {(usage["items"], usage["space"]) for usage in used}
    if len(sizes) != 1:
        return ()
    items, space = sizes.pop()
    return (Line("as even as can be", [1, min(items, space)], [max(1, items / space)] * 2, BOUND),)
