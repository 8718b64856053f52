"""The page: one HTML file that needs nothing else, and asks for nothing else.

Every text from the store is escaped (Jinja2), data for scripts is JSON, and the page's own policy refuses every
connection and every script but the ones whose hashes it names.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from evenrank.formats.whole import whole
from evenrank.report import words
from evenrank.report.contents import Contents
from evenrank.report.drawing import Drawn, drawn
from evenrank.report.gallery import gallery
from evenrank.report.leaderboard import LETTERED, Board, Cell, board
from evenrank.report.plotly import as_json, script
from evenrank.report.reproduce import toml
from evenrank.report.settings import settings
from evenrank.report.summary import Ranked, summary, written

SECTIONS = ("Compared", "Leaderboard", "Figures", "Gallery", "Settings", "Provenance")
TEMPLATES = Path(__file__).parent / "templates"
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; script-src "
)


class Column(NamedTuple):
    """The head of a column; `sort` says whether the table is sorted by it at first."""

    title: str
    help: str
    words: bool = False
    sort: str = ""


def write(path: Path, text: str) -> None:
    """Write a page; the file is there whole or not at all."""
    with whole(path) as beside:
        beside.write_text(text, encoding="utf-8")


def page(contents: Contents, metric: str = "") -> str:
    """Return the page of a run, ranked by a metric of its plan."""
    return render(contents, board(contents, metric), drawn(contents))


def render(contents: Contents, ranked: Board, figures: Sequence[Drawn] = ()) -> str:
    """Return the page."""
    there = [each.figure for each in figures if each.figure]
    shown = _shown(ranked)
    return rendered(
        "page.html",
        styles=("figures.css", "gallery.css"),
        scripts=[*([script()] if there else []), text_of("figures.js"), text_of("gallery.js")],
        title=contents.title,
        sections=SECTIONS,
        contents=contents,
        board=ranked,
        compared=words.compared(contents),
        warnings=words.warnings(contents),
        opened=words.opened(contents),
        reopened=words.reopened(contents),
        skipped=words.skipped(contents),
        columns=_columns(contents, ranked, shown),
        shows=shown,
        searched=contents.searched,
        widths=sorted({study.width for study in contents.studies if study.width}),
        kinds=[*dict.fromkeys(study.kind for study in contents.studies)],
        lettered=_lettered(ranked),
        most_lettered=LETTERED,
        controls=any(study.control for study in contents.studies),
        scales={name: scale(row.cells[name] for row in ranked.rows) for name in contents.plan.metrics},
        settings=settings(contents),
        jobs=words.jobs(contents),
        plan_text=toml(contents.plan),
        summary=written(summary(contents, ranked)),
        drawn=figures,
        figures=Markup(as_json(there)),
        gallery=gallery(contents),
    )


def rendered(template: str, *, styles: Sequence[str] = (), scripts: Sequence[str] = (), **values: Any) -> str:
    """Return a page of the frame: `values` fill its template, page.css and page.js come before what it brings."""
    all_scripts = [text_of("page.js"), *scripts]
    found: str = (
        _environment()
        .get_template(template)
        .render(
            policy=POLICY + " ".join(map(_fingerprint, all_scripts)),
            style=Markup("".join(map(text_of, ("page.css", *styles)))),
            scripts=[Markup(each) for each in all_scripts],
            **values,
        )
    )
    return found


def _environment() -> Any:
    """Return what fills the templates; every text is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        counted=words.counted,
        exact=words.exact,
        digits=words.digits,
        percent=words.percent,
        seconds=words.seconds,
        bytes=words.size,
        short=words.short,
        moment=words.moment,
        at=words.at,
    )
    return environment


def text_of(name: str) -> str:
    """Return a file of the templates' folder."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _fingerprint(script: str) -> str:
    """Return what the policy calls a script by; any other is not run."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _shown(ranked: Board) -> dict[str, bool]:
    """Return which columns have anything to show."""
    cells = [cell for row in ranked.rows for cell in row.cells.values()]
    return {
        "ties": any(cell.worst == cell.worst for cell in cells),
        "undecided": any(row.undecided == row.undecided for row in ranked.rows),
        "codes": any(row.utilisation == row.utilisation for row in ranked.rows),
        "costs": any(row.fit == row.fit for row in ranked.rows),
    }


def _lettered(ranked: Board) -> bool:
    return ranked.lettered and any(row.letters for row in ranked.rows)


def _columns(contents: Contents, ranked: Board, shown: dict[str, bool]) -> list[Column]:
    """Return the heads of the columns that the template fills, in its order."""
    plan = contents.plan
    several = len({study.kind for study in contents.studies}) > 1
    metrics = [Column(name, f"mean of {name} over repeats", False, _order(name, ranked)) for name in plan.metrics]
    return [
        Column("method", "what was compared", words=True),
        Column("width", "bits of a code, or dimensions of an embedding"),
        *([Column("searched", "what was searched, and by what", words=True)] if len(contents.searched) > 1 else []),
        *([Column("kind", "kind of method", words=True)] if several else []),
        *metrics,
        *(
            [Column("letters", f"methods that share one are not told apart by {ranked.metric}", words=True)]
            * _lettered(ranked)
        ),
        *(
            [Column("ties overlap", f"methods whose tie ranges by {ranked.metric} overlap with this one's")]
            * shown["ties"]
        ),
        *([Column("rank\u00a01 tied", "share of queries whose first rank a tie decides")] * shown["undecided"]),
        *([Column("codes used", "distinct codes, as a share of those that the database could fill")] * shown["codes"]),
        *([Column("fit", "time to learn"), Column("encode", "time an item")] * shown["costs"]),
        *([Column("size", "bytes an item")] * shown["costs"]),
        Column("repeats", "final runs with the chosen setting"),
    ]


def _order(name: str, ranked: Board) -> str:
    return "descending" if name == ranked.metric else ""


def scale(cells: Iterable[Cell | Ranked]) -> tuple[float, float]:
    """Return the least and the greatest value that whiskers of a column reach."""
    ends = [
        end
        for cell in cells
        for end in (cell.mean, cell.worst, cell.best, cell.mean - cell.half, cell.mean + cell.half)
    ]
    there = [end for end in ends if end == end]
    return min(there, default=0.0), max(there, default=1.0)
