"""Figures for the page: JSON that plotly.js draws. Colours are names of the page's own, and follow its mode."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from evenrank.report.figure import Axis, Bars, Figure, Line, Panel, Points, Series, Texts, Whiskers
from evenrank.report.palette import look

ROW, AROUND, HEIGHT = 26, 130, 440  # pixels: of a row, of what is around rows, of a plot without rows
LONG = 1.3  # decades, from which on an axis is marked at tens alone
MANY = 40  # points of a series, from which on they are small

Trace = dict[str, Any]


def script() -> str:
    """Return plotly.js, to be put into a page once."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def as_json(figures: Iterable[Figure]) -> str:
    """Return figures as JSON that can stand inside a script element: no "<" is left in it."""
    return json.dumps([plotted(figure) for figure in figures], separators=(",", ":")).replace("<", "\\u003c")


def plotted(figure: Figure) -> dict[str, Any]:
    """Return a figure with the data and the layout of each panel as plotly.js takes them."""
    panels = [
        {"title": panel.title, "note": panel.note, "data": list(_traces(panel)), "layout": _layout(panel)}
        for panel in figure.panels
    ]
    return {"title": figure.title, "caption": figure.caption, "source": figure.source, "panels": panels}


def _traces(panel: Panel) -> Iterator[Trace]:
    """Yield the traces; the first of each name stands in the legend, and hides and shows them all."""
    seen = {""}
    for series in panel.series:
        name = "" if isinstance(series, Texts) else series.name
        yield from _band(series)
        yield {
            "name": _plain(name),
            "legendgroup": _plain(name),
            "showlegend": name not in seen and not isinstance(series, Whiskers),
            **({"hoverinfo": "skip"} if isinstance(series, Texts) else {"hovertemplate": _hover(series)}),
            **_trace(series),
        }
        seen.add(name)


def _trace(series: Series) -> Trace:
    match series:
        case Line():
            return _line(series)
        case Points():
            return _points(series)
        case Texts():
            place = "middle left" if series.left else "middle right"
            texts = [f"\u00a0{_plain(text)}\u00a0" for text in series.texts]  # a gap between point and word
            point = {"x": _numbers(series.x), "y": _numbers(series.y), "text": texts}
            return {"type": "scatter", "mode": "text", "textposition": place, "cliponaxis": False, **point}
        case Whiskers():
            return _whiskers(series)
        case Bars():
            rows = [_plain(row) for row in series.rows]
            bar = {"x": _numbers(series.values), "y": rows, "marker": {"color": _colour(series.slot)}}
            return {"type": "bar", "orientation": "h", **bar}


def _line(line: Line) -> Trace:
    seen = look(line.slot)
    dash, width = ("solid", 5) if line.thick else (seen.dash, 2)
    stroke = {"color": _colour(line.slot), "dash": dash, "width": width}
    return {
        "type": "scatter",
        "mode": "lines+markers" if line.dots else "lines",
        "x": _numbers(line.x),
        "y": _numbers(line.y),
        "line": stroke | {"shape": "hv" if line.steps else "linear"},
        "marker": {"symbol": seen.mark, "size": 8},
    }


def _points(points: Points) -> Trace:
    texts = {"text": [_plain(text) for text in points.texts], "textposition": "top center"} if points.texts else {}
    size = 5 if len(points.x) > MANY else 10
    return {
        "type": "scatter",
        "mode": "markers+text" if points.direct else "markers",
        "x": _numbers(points.x),
        "y": _numbers(points.y),
        "marker": {"color": _colour(points.slot), "symbol": look(points.slot).mark, "size": size},
        **texts,
    }


def _whiskers(whiskers: Whiskers) -> Trace:
    low, middle, high = (np.asarray(each, np.float64) for each in (whiskers.low, whiskers.middle, whiskers.high))
    arms = {"array": _numbers(np.maximum(high - middle, 0)), "arrayminus": _numbers(np.maximum(middle - low, 0))}
    drawn = {"type": "data", "symmetric": False, "thickness": 2.5, "width": 6, "color": _colour(whiskers.slot)}
    return {
        "type": "scatter",
        "mode": "markers",
        "x": _numbers(middle),
        "y": [_plain(row) for row in whiskers.rows],
        "customdata": [list(pair) for pair in zip(_numbers(low), _numbers(high), strict=True)],
        "error_x": drawn | arms,
        "marker": {"color": _colour(whiskers.slot), "symbol": look(whiskers.slot).mark, "size": 10},
    }


def _band(series: Series) -> Iterator[Trace]:
    """Yield the area between the ends of the intervals of a line."""
    if not isinstance(series, Line) or not len(series.low):
        return
    yield {
        "type": "scatter",
        "mode": "lines",
        "x": [*_numbers(series.x), *_numbers(series.x)[::-1]],
        "y": [*_numbers(series.low), *_numbers(series.high)[::-1]],
        "fill": "toself",
        "fillcolor": _colour(series.slot),
        "opacity": 0.2,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
        "legendgroup": _plain(series.name),
    }


def _hover(series: Series) -> str:
    """Return what is shown when pointed at; the places of numbers are plotly's, no word of a store is a template."""
    values = "%{x:.4~g}, %{y:.4~g}"
    match series:
        case Whiskers():
            values = "%{y}<br>%{x:.4f} (%{customdata[0]:.4f} … %{customdata[1]:.4f})"
        case Bars():
            values = "%{y}<br>%{fullData.name}: %{x:.4~g}"
        case Points() if series.texts:
            values = "%{text}<br>" + values
        case Line() | Points():
            values = "%{fullData.name}<br>" + values
    return f"{values}<extra></extra>"


def _layout(panel: Panel) -> dict[str, Any]:
    """Return axes, size and legend; what has no name of its own gets the page's colours."""
    rows = len(panel.y.rows)
    return {
        "xaxis": _axis(panel.x, _decades(panel, "x")),
        "yaxis": _axis(panel.y, _decades(panel, "y")),
        "height": AROUND + ROW * rows * max(1, panel.bars) if rows else HEIGHT,
        "barmode": "group" if panel.bars > 1 else "overlay",
        "hovermode": "closest",
        "dragmode": False,
        "font": {"color": "var(--figure-ink)", "size": 13},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hoverlabel": {"bgcolor": "var(--figure-ground)", "font": {"color": "var(--figure-ink)"}, "namelength": -1},
        "margin": {"l": 56, "r": 16, "t": 16, "b": 56},
        "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
    }


def _axis(axis: Axis, decades: float) -> dict[str, Any]:
    found: dict[str, Any] = {
        "title": {"text": _plain(axis.title), "standoff": 10},
        "automargin": True,
        "zeroline": False,
        "showgrid": not axis.bare,
        "showticklabels": not axis.bare,
        "showline": not axis.bare,
        "ticks": "" if axis.bare else "outside",
        "gridcolor": "var(--figure-grid)",
        "tickcolor": "var(--figure-grid)",
        "linecolor": "var(--figure-grid)",
    }
    if axis.rows:
        rows = [_plain(row) for row in axis.rows]
        span = [len(rows) - 0.5, -0.5]
        return found | {"type": "category", "categoryorder": "array", "categoryarray": rows, "range": span}
    if axis.log:
        found |= {"type": "log", "exponentformat": "none"} | ({"dtick": 1} if decades > LONG else {})
    if axis.ticks:
        found |= {"tickvals": _numbers(axis.ticks), "ticktext": [f"{tick:g}" for tick in axis.ticks]}
    ends = [None if end is None else float(np.log10(end)) if axis.log else end for end in (axis.low, axis.high)]
    return found | ({} if ends == [None, None] else {"range": ends})


def _decades(panel: Panel, axis: str) -> float:
    """Return over how many decades the curves and points of a panel go along an axis."""
    curves = [np.asarray(getattr(each, axis), np.float64) for each in panel.series if isinstance(each, Line | Points)]
    values = np.concatenate([np.empty(0), *curves])
    values = values[values > 0]
    return float(np.log10(values.max() / values.min())) if len(values) else 0.0


def _colour(slot: int) -> str:
    colour = look(slot).colour
    return "var(--figure-muted)" if colour is None else f"var(--figure-{colour})"


def _numbers(values: Any) -> list[float | None]:
    """Return values with six digits, which is more than can be seen; None for what is not a number."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in np.asarray(values, np.float64)]


def _plain(text: str) -> str:
    """Return a text that plotly, which knows a little HTML, shows as it is."""
    return html.escape(text, quote=False)
