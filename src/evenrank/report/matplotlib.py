"""Figures for a paper: PNG, PDF and SVG by matplotlib, one a panel, a column wide; same figure, same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from evenrank.formats.whole import whole
from evenrank.report.figure import Axis, Bars, Figure, Line, Panel, Points, Series, Texts, Whiskers
from evenrank.report.palette import LIGHT, MUTED_LIGHT, look

SUFFIXES = ("png", "pdf", "svg")
WIDTH, HEIGHT = 3.5, 2.5  # inches: of a column of a paper, of a plot without rows
ROW, AROUND = 0.19, 0.75  # inches: of a row, of what is around rows
LEGEND_ROW = 0.16
MANY = 40  # points of a series, from which on they are small

RULES: Any = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine has it
    "font.size": 7,
    "axes.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.4,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "xtick.labelsize": 6.5,
    "ytick.labelsize": 6.5,
    "pdf.fonttype": 42,  # TrueType: what publishers ask for
    "svg.hashsalt": "evenrank",
    "savefig.dpi": 300,
}
SYMBOLS = {"circle": "o", "square": "s", "diamond": "D", "triangle-up": "^", "triangle-down": "v", "cross": "P"}
SYMBOLS |= {"star": "*", "x": "x", "pentagon": "p"}
STROKES = {"solid": "-", "dash": "--", "dashdot": "-.", "dot": ":"}
UNDATED = {"png": {"Software": None}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}


def save(figures: Iterable[tuple[str, Figure]], folder: Path) -> list[Path]:
    """Write (name, figure) pairs, a file a panel and format, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [
        path for name, figure in figures for stem, panel in named(name, figure) for path in _save(panel, folder, stem)
    ]


def named(name: str, figure: Figure) -> Iterator[tuple[str, Panel]]:
    """Yield the panels with the names of their files: letters, digits and dashes, each name once."""
    taken: set[str] = set()
    for panel in figure.panels:
        words = re.sub(r"[^a-z0-9]+", "-", f"{name} {panel.title}".casefold()).strip("-")[:80]
        stem = next(stem for number in count(1) if (stem := words if number == 1 else f"{words}-{number}") not in taken)
        taken.add(stem)
        yield stem, panel


def _save(panel: Panel, folder: Path, stem: str) -> Iterator[Path]:
    import matplotlib

    with matplotlib.rc_context(RULES):
        plot = drawn(panel)
        for suffix in SUFFIXES:
            path = folder / f"{stem}.{suffix}"
            with whole(path) as beside:
                plot.savefig(beside, format=suffix, metadata=UNDATED[suffix])
            yield path


def drawn(panel: Panel) -> Any:
    """Return a matplotlib figure of a panel; no window and no state of pyplot is touched."""
    from matplotlib.figure import Figure as Sheet

    names = list(dict.fromkeys(series.name for series in panel.series if not isinstance(series, Texts) and series.name))
    longest = max(map(len, names), default=0)
    columns = 2 if longest > 18 else 5 if longest < 6 else 3
    legend = LEGEND_ROW * -(-len(names) // columns)
    rows = len(panel.y.rows) * max(1, 0.6 * panel.bars)
    sheet = Sheet(figsize=(WIDTH, (AROUND + ROW * rows if rows else HEIGHT) + legend), layout="constrained")
    axes = sheet.add_subplot()
    _set(axes.xaxis, panel.x)
    _set(axes.yaxis, panel.y)
    places = {row: place for place, row in enumerate(panel.y.rows)}
    bars = [series for series in panel.series if isinstance(series, Bars)]
    for series in panel.series:
        _draw(axes, series, places, bars if panel.bars > 1 else [])
    if places:
        axes.set_ylim(len(places) - 0.5, -0.5)
    _legend(sheet, axes, columns)
    return sheet


def _draw(axes: Any, series: Series, places: dict[str, int], bars: list[Bars]) -> None:
    match series:
        case Line():
            _line(axes, series)
        case Points():
            small = {"markersize": 2} if len(series.x) > MANY else {}
            axes.plot(series.x, series.y, **_marks(series.slot) | small, linestyle="none", label=_label(series.name))
            for x, y, text in zip(series.x, series.y, series.texts if series.direct else (), strict=False):
                axes.annotate(_plain(text), (x, y), (3, 3), textcoords="offset points", fontsize=6)
        case Texts():
            side = "right" if series.left else "left"
            for x, y, text in zip(series.x, series.y, series.texts, strict=True):
                gap = (-2 if series.left else 2, 0)
                beside = {"textcoords": "offset points", "ha": side, "va": "center", "annotation_clip": False}
                axes.annotate(_plain(text), (x, y), gap, fontsize=6.5, **beside).set_in_layout(False)
        case Whiskers():
            low, middle, high = (np.asarray(each, np.float64) for each in (series.low, series.middle, series.high))
            marks = _marks(series.slot) | {"linestyle": "none", "capsize": 2, "elinewidth": 1.2}
            arms = np.maximum([middle - low, high - middle], 0)  # a mean may be rounded past its end
            axes.errorbar(middle, [places[row] for row in series.rows], xerr=arms, **marks)
        case Bars():
            height = 0.8 / max(1, len(bars))
            shift = (bars.index(series) - (len(bars) - 1) / 2) * height if bars else 0.0
            where = [places[row] + shift for row in series.rows]
            axes.barh(where, series.values, height, color=_colour(series.slot), label=_label(series.name))


def _line(axes: Any, line: Line) -> None:
    look_of: dict[str, Any] = {"color": _colour(line.slot), "linestyle": STROKES[look(line.slot).dash]}
    look_of |= {"drawstyle": "steps-post"} if line.steps else {}
    look_of |= {"linewidth": 3, "linestyle": "-", "solid_capstyle": "butt"} if line.thick else {}
    marks = _marks(line.slot) if line.dots else {}
    if len(line.low):
        axes.fill_between(line.x, line.low, line.high, color=_colour(line.slot), alpha=0.2, linewidth=0)
    axes.plot(line.x, line.y, **look_of | marks, label=_label(line.name))


def _set(axis: Any, description: Axis) -> None:
    """Give an axis its title, scale, ends and rows."""
    is_x = axis.axis_name == "x"
    axes = axis.axes
    axis.set_label_text(_plain(description.title))
    if description.bare:
        axis.set_ticks([])
        axes.spines["bottom" if is_x else "left"].set_visible(False)
    if description.log:
        (axes.set_xscale if is_x else axes.set_yscale)("log")
        _set_powers(axis)
    if description.ticks:
        axis.set_ticks(description.ticks, [f"{tick:g}" for tick in description.ticks])
        axis.set_ticks([], minor=True)
    if description.rows:
        axis.set_ticks(range(len(description.rows)), [_plain(row) for row in description.rows])
    ends = (description.low, description.high)
    if ends != (None, None):
        (axes.set_xlim if is_x else axes.set_ylim)(*ends)


def _set_powers(axis: Any) -> None:
    """Write plain numbers where matplotlib would write powers: on all ticks of a short axis, on tens of a long one."""
    from matplotlib.ticker import LogFormatter

    class Plain(LogFormatter):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return f"{x:g}" if super().__call__(x, pos) else ""

    axis.set_major_formatter(Plain())
    axis.set_minor_formatter(Plain(minor_thresholds=(1, 0.4)))


def _legend(sheet: Any, axes: Any, columns: int) -> None:
    """Set the names below the plot, each once."""
    found: dict[str, Any] = {}
    for handle, name in zip(*axes.get_legend_handles_labels(), strict=True):
        found.setdefault(name, handle)
    if found:
        sheet.legend(found.values(), found.keys(), loc="outside lower center", ncols=columns, columnspacing=1.0)


def _marks(slot: int) -> dict[str, Any]:
    return {"color": _colour(slot), "marker": SYMBOLS[look(slot).mark]}


def _colour(slot: int) -> str:
    colour = look(slot).colour
    return MUTED_LIGHT if colour is None else LIGHT[colour]


def _label(name: str) -> str:
    """Return a name for the legend; an underscore at its start would hide it."""
    return _plain(f"\u200b{name}" if name.startswith("_") else name) if name else "_nolegend_"


def _plain(text: str) -> str:
    """Return a text in which no dollar begins a formula."""
    return text.replace("$", r"\$")
