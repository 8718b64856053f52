"""Every number that a page shows is its store's, read here a second time by plain SQL.

The leaderboard's cells are in test_page.py, and what figures make of the store in figures/; here is the rest: counts in
the leaderboard, settings, openings, provenance, what the page has of each figure, every caption of the gallery, and
that no other number stands anywhere.
"""

import json
import re
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from itertools import chain
from typing import Any

import numpy as np
import pytest

from evenrank.report import drawing
from evenrank.report.contents import Contents
from evenrank.report.figure import Bars, Series, Whiskers
from evenrank.report.page import page, write
from tests.report.browser import chromium, needed, shown
from tests.report.figures.stored import NAMES, SEARCHED
from tests.report.stores import Stored, finals

RANGES = {"ITQ": ["10", "100"]}  # that are searched, as the method declares them
PROSE = {"95", "5", "1,000", "4,096"}  # numbers of sentences: the level of intervals and tests, sizes of samples


class Read(HTMLParser):
    """The cells of each section's tables, and the words of each section outside of the leaderboard."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self.words: dict[str, str] = {}
        self.data = ""  # of the figures
        self.section, self.within, self.in_cell = "", [""], False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = dict(attrs)
        if tag in ("script", "style", "table"):
            self.within.append(str(about.get("id") or tag))
        if tag == "section":
            self.section = str(about["id"])
        if tag == "tr":
            self.rows.setdefault(self.section, []).append([])
        if tag in ("td", "th"):
            self.rows[self.section][-1].append("")
            self.in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "table"):
            self.within.pop()
        self.in_cell = self.in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.within[-1] == "figure-data":
            self.data += data
        if self.in_cell:
            self.rows[self.section][-1][-1] += data
        if self.within[-1] in ("", "table"):
            self.words[self.section] = f"{self.words.get(self.section, '')} {data}"


@pytest.fixture(scope="module")
def text(contents: Contents) -> str:
    return page(contents)


@pytest.fixture(scope="module")
def found(text: str) -> Read:
    return Read(text)


@pytest.fixture(scope="module")
def rows(stored: Stored) -> list[dict[str, Any]]:
    return finals(stored[2] / "store.sqlite")


def table(stored: Stored, name: str) -> list[dict[str, Any]]:
    with sqlite3.connect(stored[2] / "store.sqlite") as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(f"select * from {name}")]


def spoken(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def test_the_leaderboard_counts_repeats_and_overlapping_ranges(found: Read, rows: list[dict[str, Any]]) -> None:
    ends: dict[tuple[str, str], tuple[float, float]] = {}
    for label, method in NAMES.items():
        for width in {row["width"] for row in rows if row["method"] == method}:
            mine = [row for row in rows if (row["method"], row["width"]) == (method, width)]
            ties = [row["exhibits"]["ties"][SEARCHED]["AP"] for row in mine]
            worst, best = (float(np.mean([each[end] for each in ties])) for end in ("worst", "best"))
            ends[label, str(width or "–")] = worst, best
    head, *cells = found.rows["leaderboard"]
    overlap, repeats = head.index("ties overlap"), head.index("repeats")
    assert len(cells) == len(ends)
    for cell in cells:
        label, width = cell[0].removesuffix("control").strip(), cell[1]
        worst, best = ends[label, width]
        crossed = [
            (name, own)
            for (name, own), (low, high) in ends.items()
            if name != label and (own == width or "–" in (own, width)) and low < best and worst < high
        ]
        assert cell[overlap].split("ties could")[0] == (f"⚠ {len(crossed)}" if crossed else "none")
        assert cell[repeats] == "3"


def test_settings_are_those_that_jobs_ran_with(found: Read, stored: Stored, rows: list[dict[str, Any]]) -> None:
    head, *cells = found.rows["settings"]
    chosen, trials = head.index("chosen by tuning"), head.index("trials")
    tuned = [json.loads(row["parameters"]) for row in table(stored, "jobs") if row["kind"] == "tune"]
    assert len(cells) == 7
    for cell in cells:
        mine = [row for row in rows if (row["method"], str(row["width"] or "–")) == (NAMES[cell[0]], cell[1])]
        [setting] = {json.dumps(row["parameters"]) for row in mine}
        numbers = [spoken(value) for value in json.loads(setting).values()]
        assert re.findall(r"\d[\d.]*", cell[chosen]) == [*numbers, *RANGES.get(cell[0], [])]
        assert cell[trials] == ("2" if cell[0] in ("ITQ", "Trivial solution") else "0")
    assert len(tuned) == 3 * 2


def test_openings_are_those_that_were_written_down(found: Read, stored: Stored) -> None:
    head, *cells = found.rows["provenance"]
    assert head[:2] == ["method and width", "times"]
    times: dict[tuple[str, str], int] = {}
    for row in table(stored, "openings"):
        key = row["study"], row["setting"][:12]
        times[key] = times.get(key, 0) + 1
    assert {(cell[0], cell[3]): int(cell[1]) for cell in cells} == times


def test_provenance_adds_up_all_jobs(found: Read, stored: Stored) -> None:
    jobs = table(stored, "jobs")
    about = [json.loads(job["provenance"]) for job in jobs]
    seconds = sum(job["seconds"] for job in jobs)
    began = min(each["finished"] - job["seconds"] for each, job in zip(about, jobs, strict=True))
    ended = max(each["finished"] for each in about)
    words = " ".join(found.words["provenance"].split())
    moments = (datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M UTC") for moment in (began, ended))
    assert " to ".join(moments) in words
    said, jobs_said = re.search(r"; ([\d.]+) s of work in (\d+) jobs", words).groups()  # type: ignore[union-attr]
    assert float(said) == pytest.approx(seconds, rel=5e-3)
    assert int(jobs_said) == len(jobs)
    assert f"opened {len(table(stored, 'openings'))} times" in words
    assert about[0]["machine"] in words
    assert "skipped nothing: every query and every trial counts" in words


def test_no_other_number_stands_anywhere(found: Read, stored: Stored) -> None:
    """Outside of leaderboard, figures and gallery a number is a word of the store, a count of it, or a sentence's."""
    held = " ".join(str(row) for name in ("plans", "jobs", "openings") for row in table(stored, name))
    known = {*re.findall(r"\d[\d.]*\d|\d", held), *PROSE, *chain(*RANGES.values())}
    jobs, openings = table(stored, "jobs"), table(stored, "openings")
    known |= {str(len(jobs)), str(len(openings)), str(len({row["study"] for row in openings}))}
    known |= {str(len(json.loads(table(stored, "plans")[0]["content"])["methods"]))}
    provenance = " ".join(found.words["provenance"].split())
    for pattern in (r"[0-9a-f]{64}", r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", r"[\d.]+ s of work", r"\b[0-9a-f]{12}\b"):
        provenance = re.sub(pattern, "", provenance)  # looked at above
    assert "evenrank" in provenance
    sections = {**found.words, "provenance": provenance}
    assert sections.keys() == {"", "compared", "leaderboard", "figures", "gallery", "settings", "provenance"}
    strange = {
        name: sorted(set(re.findall(r"\d[\d.,]*\d|\d", words)) - known) for name, words in sections.items() if words
    }
    assert {name: numbers for name, numbers in strange.items() if numbers} == {}


def plain(values: Any) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in np.asarray(values, np.float64)]


def drawn(series: Series) -> list[list[float | None]]:
    """Return the numbers of a series as a trace has them."""
    if isinstance(series, Whiskers):
        return [plain(series.middle), plain(series.low), plain(series.high)]
    return [plain(series.values)] if isinstance(series, Bars) else [plain(series.x), plain(series.y)]


def traced(trace: dict[str, Any]) -> list[list[float | None]]:
    if "customdata" in trace:
        low, high = zip(*trace["customdata"], strict=True)
        assert np.allclose(np.subtract(trace["x"], trace["error_x"]["arrayminus"]), low, atol=1e-5)
        assert np.allclose(np.add(trace["x"], trace["error_x"]["array"]), high, atol=1e-5)
        return [trace["x"], list(low), list(high)]
    return [trace["x"]] if trace["type"] == "bar" else [trace["x"], trace["y"]]


def test_the_page_has_the_numbers_of_every_figure(found: Read, contents: Contents) -> None:
    there = [each.figure for each in drawing.drawn(contents) if each.figure]
    on_page = json.loads(found.data)
    assert [each["title"] for each in on_page] == [figure.title for figure in there]
    count = 0
    for shape, figure in zip(on_page, there, strict=True):
        for drawing_of, panel in zip(shape["panels"], figure.panels, strict=True):
            traces = [trace for trace in drawing_of["data"] if "fill" not in trace]
            for trace, series in zip(traces, panel.series, strict=True):
                for mine, theirs in zip(traced(trace), drawn(series), strict=True):
                    assert [value is None for value in mine] == [value is None for value in theirs]
                    np.testing.assert_allclose(
                        [value for value in mine if value is not None],
                        [value for value in theirs if value is not None],
                        rtol=6e-6,
                    )
                    count += len(mine)
    assert count > 5000


CAPTIONS = """() => ({
    note: document.querySelector("#gallery-left .gallery-note").textContent,
    asked: document.querySelector("#gallery-asked .gallery-item").title,
    groups: [...document.querySelectorAll("#gallery-left .gallery-group")].map((group) => ({
        said: group.querySelector("p").textContent,
        items: [...group.querySelectorAll(".gallery-item")].map((item) => item.title),
    })),
})"""


def stored_captions(entry: dict[str, Any], labels: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what the gallery must say of a ranking, from the store."""

    def number(value: float) -> str:
        return np.format_float_positional(float(f"{value:.4g}"), trim="-")

    def title(modality: str, row: int, said: str) -> str:
        return f"{labels[modality][str(row)]['label']}, row {row}{said}"

    worst, best = entry["range"]
    reach = f", between {number(worst)} and {number(best)} by the order of ties" if worst < best else ""
    groups = []
    for group in entry["groups"]:
        tied = f": {group['size']:,} tied, {group['relevant']:,} of them relevant" if group["size"] > 1 else ""
        cut = f"; {len(group['items'])} shown" if len(group["items"]) < group["size"] else ""
        items = [
            title(entry["answers"], item["row"], ", relevant" if item["relevant"] else ", not relevant")
            for item in group["items"]
        ]
        groups.append({"said": f"distance {number(group['distance'])}{tied}{cut}", "items": items})
    return {
        "note": f"AP {number(entry['value'])}{reach}",
        "asked": title(entry["asks"], entry["query"], ""),
        "groups": groups,
    }


@pytest.fixture(scope="module")
def opened(text: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path = tmp_path_factory.mktemp("numbers") / "page.html"
    write(path, text)
    with chromium() as browser, shown(browser, path) as tab:
        yield tab


@needed
def test_every_caption_of_the_gallery_is_the_stores(opened: Any, rows: list[dict[str, Any]]) -> None:
    first = {
        f"{label}, {row['width']}" if row["width"] else label: row["exhibits"]
        for row in rows
        for label, method in NAMES.items()
        if row["method"] == method and row["number"] == 0
    }
    methods = opened.locator("#gallery-left-method option").all_text_contents()
    assert sorted(methods) == sorted(first)
    for name in methods:
        opened.select_option("#gallery-right-method", label="nothing")
        opened.select_option("#gallery-left-method", label=name)
        entries = {str(entry["query"]): entry for entry in first[name]["gallery"][SEARCHED]}
        offered = opened.eval_on_selector_all("#gallery-query option", "all => all.map(each => each.value)")
        assert {*offered} == {*entries}
        for query in {*offered}:
            opened.select_option("#gallery-query", value=query)
            assert opened.evaluate(CAPTIONS) == stored_captions(entries[query], first[name]["items"])
