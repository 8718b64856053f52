"""A figure, described without saying who draws it: axes and series of numbers, a caption, and what it is from.

    Contents ── figures/*.py ──> Figure ── plotly.py ──> JSON for the page
                                        └─ matplotlib.py ──> PNG, PDF and SVG for a paper

A figure has panels that are looked at one at a time: one for each direction, width or method. What is shown row by row
(methods, settings) lies along the vertical axis, where long names have room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MUTED, MUTED_TOO = -1, -2  # slots of what methods are compared with: grey, whatever the method's place
BOUND = -3  # of lines that are no method's

Numbers = Sequence[float] | np.ndarray


@dataclass(frozen=True)
class Axis:
    """What is measured, with its unit. `rows` are names in place of numbers, from the top; series then give names."""

    title: str
    log: bool = False
    rows: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    ticks: tuple[float, ...] = ()  # where numbers stand; none: wherever they fit
    bare: bool = False  # no numbers, no grid: a direction that means nothing


@dataclass(frozen=True)
class Line:
    """A curve, straight from point to point or in steps, with a band where `low` and `high` are given.

    Series of one name are one entry of the legend, and one without a name is none. `slot` is a place in the palette.
    """

    name: str
    x: Numbers
    y: Numbers
    slot: int
    low: Numbers = ()
    high: Numbers = ()
    dots: bool = False
    steps: bool = False
    thick: bool = False


@dataclass(frozen=True)
class Points:
    """Single points; `texts` say what each is, when pointed at or, if `direct`, beside it."""

    name: str
    x: Numbers
    y: Numbers
    slot: int
    texts: tuple[str, ...] = ()
    direct: bool = False


@dataclass(frozen=True)
class Texts:
    """Words at points, to the left or to the right of them."""

    x: Numbers
    y: Numbers
    texts: tuple[str, ...]
    left: bool = False


@dataclass(frozen=True)
class Whiskers:
    """A range in each row, and a dot inside it."""

    name: str
    rows: tuple[str, ...]
    low: Numbers
    middle: Numbers
    high: Numbers
    slot: int


@dataclass(frozen=True)
class Bars:
    """A bar in each row; series that share rows stand below each other in a row."""

    name: str
    rows: tuple[str, ...]
    values: Numbers
    slot: int


Series = Line | Points | Texts | Whiskers | Bars


@dataclass(frozen=True)
class Panel:
    """One plot. `title` tells it from the figure's other panels, `note` says what is true of it alone."""

    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    note: str = ""

    @property
    def bars(self) -> int:
        """Return how many bars a row has at most."""
        rows = [row for series in self.series if isinstance(series, Bars) for row in series.rows]
        return max((rows.count(row) for row in rows), default=0)


@dataclass(frozen=True)
class Figure:
    """Panels with a title, a caption that says how to read them and how many values they are of, and their source."""

    title: str
    panels: tuple[Panel, ...]
    caption: str
    source: str
