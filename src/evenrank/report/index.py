"""A page over many reports: what each compares, its best, and whether it is finished.

It is made from the pages in a folder, each of which carries a summary of itself; no store is needed.
"""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from markupsafe import Markup

from evenrank.formats.whole import whole
from evenrank.report.page import POLICY, environment, text_of

NAME = "index.html"
KEYS = {
    "title",
    "plan",
    "dataset",
    "protocol",
    "methods",
    "rows",
    "metric",
    "best",
    "value",
    "ended",
    "missing",
    "failed",
}


def write(folder: Path) -> Path:
    """Write the index of all reports in a folder and return its path; other files there are passed over."""
    path = folder / NAME
    pages = sorted(each for each in folder.glob("*.html") if each.name != NAME)
    found = [(each.name, about) for each in pages if (about := summary(each))]
    text = (
        environment()
        .get_template("index.html")
        .render(
            reports=sorted(found, key=lambda each: (each[1]["dataset"], each[1]["title"], each[0])),
            policy=POLICY + "'none'",
            style=Markup(text_of("page.css")),
        )
    )
    with whole(path) as beside:
        beside.write_text(text, encoding="utf-8")
    return path


def summary(page: Path) -> dict[str, Any] | None:
    """Return what a report says of itself; None if the file is no report."""
    parser = _Summary()
    try:
        parser.feed(page.read_text(encoding="utf-8"))
        found = json.loads(parser.content)
    except ValueError:
        return None
    return found if isinstance(found, dict) and found.keys() >= KEYS else None


class _Summary(HTMLParser):
    """Gathers the text of the summary's script element."""

    def __init__(self) -> None:
        super().__init__()
        self.content, self.inside = "", False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag == "script" and dict(attrs).get("id") == "summary"

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.content += data
