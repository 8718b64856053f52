"""Figures are described once and drawn twice: for the page and for a paper."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evenrank.report import drawing, matplotlib, palette, plotly
from evenrank.report.contents import Contents, read
from evenrank.report.figure import MUTED, Axis, Bars, Figure, Line, Panel, Points, Texts, Whiskers
from tests.report.stores import plan, ranked

EVIL = "<script>alert(1)</script> & $x$ %{x}"
ROWS = Axis("", rows=("above", EVIL))
NUMBERS = Axis("a number (unit)", low=0, high=4)
PANELS = {
    "line": Panel("line", NUMBERS, NUMBERS, (Line(EVIL, [1, 2, 3], [1.0, 2.0, 1.5], 0, dots=True),)),
    "band": Panel("band", NUMBERS, NUMBERS, (Line("a", [1, 2], [1.0, 2.0], 1, low=[0.5, 1.0], high=[1.5, 3.0]),)),
    "steps": Panel("steps", Axis("log", log=True), NUMBERS, (Line("a", [1, 10, 100], [3.0, 2.0, 1.0], 2, steps=True),)),
    "points": Panel("points", NUMBERS, NUMBERS, (Points("a", [1, 2], [1.0, 2.0], MUTED, (EVIL, "b"), direct=True),)),
    "texts": Panel("texts", NUMBERS, Axis("", bare=True), (Texts([1.0], [2.0], (EVIL,), left=True),)),
    "whiskers": Panel("whiskers", NUMBERS, ROWS, (Whiskers(EVIL, (EVIL,), [0.5], [1.0], [2.0], 3),)),
    "bars": Panel("bars", NUMBERS, ROWS, (Bars("a", ("above", EVIL), [1, 2], 4), Bars("b", ("above",), [3], 5))),
    "gap": Panel("gap", NUMBERS, NUMBERS, (Line("a", [1, 2, 3], [1.0, float("nan"), 1.5], 40),)),
}
EVERY = Figure("Every kind", tuple(PANELS.values()), "How to read it.", "Digits.")
ENDINGS = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}


def resolved(value: Any) -> Any:
    """Return JSON with a colour wherever the page would put its own."""
    return json.loads(re.sub(r"var\(--figure-\w+\)", "#123456", json.dumps(value)))


@pytest.mark.parametrize("name", PANELS)
def test_plotly_takes_every_kind_of_series(name: str) -> None:
    from plotly.graph_objects import Figure as Checked

    panel = resolved(plotly.plotted(Figure("", (PANELS[name],), "", "")))["panels"][0]
    checked = Checked(data=panel["data"], layout=panel["layout"])  # unknown or wrong properties are refused
    assert len(checked.data) == len(panel["data"]) >= len(PANELS[name].series)


@pytest.mark.parametrize("name", PANELS)
def test_matplotlib_draws_every_kind_of_series(name: str, tmp_path: Path) -> None:
    paths = matplotlib.save([("one", Figure("", (PANELS[name],), "", ""))], tmp_path)
    assert [path.name for path in paths] == [f"one-{name}.{suffix}" for suffix in ENDINGS]
    assert all(path.read_bytes().startswith(ENDINGS[path.suffix[1:]]) for path in paths)
    assert len(list(tmp_path.iterdir())) == 3


def test_numbers_reach_both_unchanged() -> None:
    panel = PANELS["line"]
    [trace] = plotly.plotted(EVERY)["panels"][0]["data"]
    [drawn] = matplotlib.drawn(panel).axes[0].get_lines()
    assert trace["x"] == drawn.get_xdata().tolist() == [1, 2, 3]
    assert trace["y"] == drawn.get_ydata().tolist() == [1.0, 2.0, 1.5]


def test_whiskers_reach_from_low_to_high() -> None:
    [trace] = plotly.plotted(Figure("", (PANELS["whiskers"],), "", ""))["panels"][0]["data"]
    assert trace["x"] == [1.0]
    assert (trace["error_x"]["arrayminus"], trace["error_x"]["array"]) == ([0.5], [1.0])
    [segments] = matplotlib.drawn(PANELS["whiskers"]).axes[0].collections[0].get_segments()
    assert segments[:, 0].tolist() == [0.5, 2.0]
    assert segments[:, 1].tolist() == [1.0, 1.0]


def test_a_mean_rounded_past_its_end_is_drawn() -> None:
    panel = Panel("", NUMBERS, Axis("", rows=("a",)), (Whiskers("a", ("a",), [1.0 + 1e-12], [1.0], [1.0], 0),))
    assert matplotlib.drawn(panel).axes[0].containers
    assert plotly.plotted(Figure("", (panel,), "", ""))["panels"][0]["data"][0]["error_x"]["arrayminus"] == [0.0]


def test_what_is_undefined_is_a_gap() -> None:
    [trace] = plotly.plotted(Figure("", (PANELS["gap"],), "", ""))["panels"][0]["data"]
    assert trace["y"] == [1.0, None, 1.5]


def test_no_word_of_a_store_becomes_markup_or_a_template() -> None:
    text = plotly.as_json([EVERY])
    assert "<" not in text
    found = json.loads(text)[0]["panels"]
    assert "&lt;script&gt;" in found[0]["data"][0]["name"]
    assert "&lt;script&gt;" in found[5]["data"][0]["y"][0]
    assert not any("script" in trace.get("hovertemplate", "") for panel in found for trace in panel["data"])


def test_a_dollar_begins_no_formula() -> None:
    legend = matplotlib.drawn(PANELS["line"]).legends[0].get_texts()[0]
    assert legend.get_text().replace("\\$", "$") == EVIL
    assert "$x$" not in legend.get_text()


def test_a_name_is_in_the_legend_once() -> None:
    panel = Panel("", NUMBERS, NUMBERS, (PANELS["line"].series[0], Points(EVIL, [1], [1.0], 0)))
    traces = plotly.plotted(Figure("", (panel,), "", ""))["panels"][0]["data"]
    assert [trace["showlegend"] for trace in traces] == [True, False]
    assert len(matplotlib.drawn(panel).legends[0].get_texts()) == 1


def test_the_same_figure_gives_the_same_bytes(tmp_path: Path) -> None:
    some = Figure("", (PANELS["band"], PANELS["whiskers"]), "", "")
    first, second = (matplotlib.save([("a", some)], tmp_path / name) for name in ("first", "second"))
    assert len(first) == 6
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_file_names_are_plain_and_each_is_used_once() -> None:
    panels = tuple(Panel(title, NUMBERS, NUMBERS, ()) for title in ("../../a b", "A b", EVIL, "", ""))
    stems = [stem for stem, _ in matplotlib.named("figure", Figure("", panels, "", ""))]
    assert stems[:2] == ["figure-a-b", "figure-a-b-2"]
    assert len(set(stems)) == 5
    assert all(re.fullmatch(r"[a-z0-9-]+", stem) for stem in stems)


def test_slots_differ_in_colour_or_mark_or_dash() -> None:
    assert len({(each.colour, each.dash) for each in map(palette.look, range(28))}) == 28
    assert len({(each.colour, each.mark) for each in map(palette.look, range(49))}) == 49
    muted = [palette.look(slot) for slot in (-1, -2, -3)]
    assert [each.colour for each in muted] == [None] * 3
    assert len({each.dash for each in muted}) == len({each.mark for each in muted}) == 3


def test_the_page_has_the_colours_of_the_palette() -> None:
    style = (Path(plotly.__file__).parent / "templates" / "figures.css").read_text(encoding="utf-8")
    light, *dark = re.findall(r"\{[^{}]*--figure-0[^}]*\}", style)
    for block, colours, muted in (
        (light, palette.LIGHT, palette.MUTED_LIGHT),
        *((each, palette.DARK, palette.MUTED_DARK) for each in dark),
    ):
        assert re.findall(r"--figure-\d: (#\w+)", block) == list(colours)
        assert f"--figure-muted: {muted}" in block
    assert len(dark) == 2


def test_the_folder_is_the_table_of_contents() -> None:
    files = {path.stem for path in drawing.FOLDER.glob("*.py")} - {"__init__"}
    found = drawing.listed()
    assert {each.name for each in found} == files
    assert [each.order for each in found] == sorted(each.order for each in found)
    assert len({each.title for each in found}) == len(found)


def test_a_run_that_left_nothing_has_no_figures(tmp_path: Path) -> None:
    from evenrank.benchmark.store import Store

    chosen, store = plan(), Store(tmp_path / "empty.sqlite")
    store.add(chosen)
    assert [each.figure for each in drawing.drawn(read(store, chosen))] == [None] * len(drawing.listed())


def test_every_figure_of_a_real_run_is_drawn_by_plotly(contents: Contents) -> None:
    from plotly.graph_objects import Figure as Checked

    for each in drawing.drawn(contents):
        for panel in resolved(plotly.plotted(each.figure))["panels"] if each.figure else ():
            assert Checked(data=panel["data"], layout=panel["layout"]).data, each.listed.name


def test_a_method_looks_the_same_in_every_figure(contents: Contents) -> None:
    found: dict[str, set[int]] = {}
    for each in drawing.drawn(contents):
        if each.figure and each.listed.name not in ("projection", "tsne"):
            for series in (series for panel in each.figure.panels for series in panel.series):
                if not isinstance(series, Texts):
                    found.setdefault(series.name, set()).add(series.slot)
    assert {label: len(found[label]) for label in ("LSH", "ITQ", "Chance")} == {"LSH": 1, "ITQ": 1, "Chance": 1}
    assert found["LSH"] != found["ITQ"]
    assert found["Chance"] == {MUTED}


def test_of_many_methods_the_best_are_drawn_and_the_rest_are_counted(tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {f"m{number:02d}": number / 100 for number in range(60)}, queries=3, spread=0.0)
    drawn = {each.listed.name: each.figure for each in drawing.drawn(read(store, chosen))}
    figure = drawn["tie_ranges"]
    assert figure is not None
    [panel] = figure.panels
    assert panel.y.rows == tuple(f"m{number:02d}" for number in range(59, 19, -1))
    assert "20 more are not shown" in panel.note
    assert np.isclose(panel.series[0].middle[0], 0.59)
