"""A page over many reports: what each compares and whether it is finished, and one leaderboard of all their rows.

It is made from the pages in a folder, each of which carries a summary of itself; no store is needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from evenrank.report.page import Column, rendered, scale, write
from evenrank.report.summary import Ranked, Summary, read

NAME = "index.html"


class Report(NamedTuple):
    """A page of the folder."""

    file: str
    about: Summary


def index(folder: Path) -> Path:
    """Write the index of all reports in a folder and return its path; other files there are passed over."""
    pages = sorted(each for each in folder.glob("*.html") if each.name != NAME)
    found = [Report(each.name, about) for each in pages if (about := read(each))]
    path = folder / NAME
    write(path, _page(sorted(found, key=lambda each: (each.about.dataset, each.about.title, each.file))))
    return path


def _page(reports: list[Report]) -> str:
    rows = [(report, row) for report in reports for row in report.about.rows]
    return rendered(
        "index.html",
        title="Reports",
        sections=("Reports", *(["Leaderboard"] if rows else [])),
        reports=reports,
        rows=rows,
        columns=_columns(),
        datasets=_told(report.about.dataset for report in reports),
        metrics=_told(report.about.metric for report in reports),
        searches=_told(row.searched for _, row in rows),
        widths=sorted({row.width for _, row in rows if row.width}),
        scales={metric: scale(_of(reports, metric)) for metric in _told(each.about.metric for each in reports)},
    )


def _told(values: Iterable[str]) -> list[str]:
    """Return each value once, in the order in which they come."""
    return list(dict.fromkeys(values))


def _of(reports: list[Report], metric: str) -> list[Ranked]:
    return [row for report in reports if report.about.metric == metric for row in report.about.rows]


def _columns() -> list[Column]:
    return [
        Column("method", "what was compared", words=True),
        Column("width", "bits of a code, or dimensions of an embedding"),
        Column("value", "mean over repeats"),
        Column("metric", "by which its report ranks", words=True),
        Column("dataset", "what it was compared on", words=True),
        Column("searched", "what was searched, and by what", words=True),
        Column("report", "where the row stands", words=True),
    ]
