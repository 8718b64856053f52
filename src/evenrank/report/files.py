"""Everything a report can leave on disk: the page, tables, figures, and its place in an index."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from evenrank.report import page
from evenrank.report.contents import Contents
from evenrank.report.drawing import drawn
from evenrank.report.exports import mteb
from evenrank.report.exports.latex import latex
from evenrank.report.exports.markdown import markdown
from evenrank.report.index import index
from evenrank.report.leaderboard import board


def write(
    contents: Contents,
    path: Path,
    folder: Path | None = None,
    *,
    metric: str = "",
    figures: Path | None = None,
) -> list[str]:
    """Write the page and what else is asked for; return where things lie, the page last."""
    metric = metric or contents.plan.metrics[0]
    text = page.page(contents, metric)
    lines = []
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        lines.append(f"tables: {_tables(contents, metric, folder)}")
    if figures:
        from evenrank.report.matplotlib import save

        there = [(each.listed.name, each.figure) for each in drawn(contents) if each.figure]
        lines.append(f"figures: {len(save(there, figures))} files in {figures}")
    page.write(path, text)
    return [*lines, f"report: {path}"]


def gather(folder: Path, several: Iterable[Contents], metric: str = "") -> Path:
    """Write a page for each plan into a folder, beside those that are there, and return the path of their index."""
    pages = {_file_name(contents): page.page(contents, metric) for contents in several}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages.items():
        page.write(folder / f"{name}.html", text)
    return index(folder)


def _tables(contents: Contents, metric: str, folder: Path) -> str:
    """Write the leaderboard in all forms; return what was written."""
    ranked = board(contents, metric)
    files = {"leaderboard.md": markdown(contents, ranked), "leaderboard.tex": latex(contents, ranked)}
    for name, text in files.items():
        page.write(folder / name, text)
    models = mteb.write(folder / "mteb", contents, metric)
    return f"{', '.join(files)} and {len(models)} files in mteb/, in {folder}"


def _file_name(contents: Contents) -> str:
    """Return the name of a plan's page among others: its title in plain letters, and its hash."""
    plain = re.sub(r"[^a-z0-9]+", "-", contents.title.lower()).strip("-")[:60]
    return f"{plain}-{contents.plan.hash[:8]}".lstrip("-")
