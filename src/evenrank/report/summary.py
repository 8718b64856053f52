"""What a page says of itself, for an index over many: what was compared, if it is finished, and its leaderboard.

It stands in the page as JSON and is checked when it is read again, as a folder may hold any page.
"""

from __future__ import annotations

from html.parser import HTMLParser
from math import nan
from pathlib import Path
from typing import Annotated, Any

from markupsafe import Markup
from pydantic import BaseModel, BeforeValidator, ConfigDict

from evenrank.report.contents import Contents
from evenrank.report.leaderboard import Board, Row

Real = Annotated[float, BeforeValidator(lambda value: nan if value is None else value)]  # JSON has no NaN


class Ranked(BaseModel):
    """A row of a leaderboard, by the metric that ranks."""

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="null")

    method: str
    kind: str
    control: bool
    width: int | None
    searched: str
    mean: Real
    half: Real
    worst: Real
    best: Real
    standing: dict[str, str]


class Summary(BaseModel):
    """A plan, what became of it, and its rows, best first."""

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="null")

    title: str
    plan: str  # its hash
    dataset: str
    protocol: str
    methods: int
    metric: str
    ended: float | None
    missing: int
    failed: int
    rows: tuple[Ranked, ...]


def summary(contents: Contents, board: Board) -> Summary:
    """Return the summary of a page."""
    return Summary(
        title=contents.title,
        plan=contents.plan.hash,
        dataset=contents.plan.dataset,
        protocol=contents.plan.protocol,
        methods=len(contents.plan.methods),
        metric=board.metric,
        ended=contents.provenance.ended,
        missing=sum(each.repeats for each in contents.missing),
        failed=len(contents.failed),
        rows=tuple(_ranked(row, board.metric) for row in board.rows),
    )


def _ranked(row: Row, metric: str) -> Ranked:
    study, cell = row.study, row.cells[metric]
    return Ranked(
        method=study.label,
        kind=study.kind,
        control=bool(study.control),
        width=study.width,
        searched=study.searched,
        **{name: value for name, value in cell._asdict().items() if name != "standing"},
        standing=dict(cell.standing),
    )


def written(found: Summary) -> Markup:
    """Return a summary as JSON that can stand inside a script element: no "<" is left in it."""
    return Markup(found.model_dump_json().replace("<", "\\u003c"))


def read(page: Path) -> Summary | None:
    """Return what a report says of itself; None if the file is no report."""
    parser = _Script()
    try:
        parser.feed(page.read_text(encoding="utf-8"))
        return Summary.model_validate_json(parser.content)
    except ValueError:
        return None


class _Script(HTMLParser):
    """Gathers the text of the summary's script element."""

    def __init__(self) -> None:
        super().__init__()
        self.content, self.inside = "", False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, Any]]) -> None:
        self.inside = tag == "script" and dict(attrs).get("id") == "summary"

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.content += data
