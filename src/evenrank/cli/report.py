"""`evenrank report`: a store in, a page that can be sent to somebody out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option


def report(
    store: Annotated[str, Argument(metavar="STORE", help="SQLite file or postgresql:// address.")],
    plan: Annotated[str, Option(metavar="TITLE|HASH", help="Which plan, if the store holds several.")] = "",
    out: Annotated[
        Path | None, Option(metavar="FILE.html|DIR", help="The page; or a folder for it and tables of all forms.")
    ] = None,
    metric: Annotated[str, Option(help="What is ranked by; the plan's first if not given.")] = "",
    figures: Annotated[
        Path | None, Option(metavar="DIR", help="Write each figure as PNG, PDF and SVG here too.")
    ] = None,
    claims: Annotated[
        Path | None,
        Option(metavar="FILE.csv", help="What papers claim: paper, year, method, claimed, baseline, source."),
    ] = None,
    index: Annotated[
        Path | None,
        Option(metavar="DIR", help="Put the pages of the store's plans here, beside others, and renew their index."),
    ] = None,
) -> None:
    """Write the report of a plan's results, finished or not: one HTML file that asks the network for nothing.

    A folder gets report.html, leaderboard.md, leaderboard.tex and mteb/ (a JSON file a method, in MTEB's form).

    Example: evenrank report digits.sqlite

    Example: evenrank report results.sqlite --plan "Hash codes of digits" --out report --figures report/figures

    Example: evenrank report results.sqlite --index reports    (all plans of the store, and one leaderboard of them)
    """
    from evenrank.benchmark.store import Store
    from evenrank.report.claims import read as read_claims
    from evenrank.report.contents import chosen, read
    from evenrank.report.files import gather, write

    kept = Store.existing(store)
    found = chosen(kept, plan)
    alone = not index or out or figures
    if alone and len(found) > 1:
        listed = ", ".join(f"{each.title} ({each.hash[:8]})" for each in found)
        raise ValueError(f"--plan must name one of the store's plans, or --index a folder for all: {listed}")
    path, folder = _paths(store, out)
    claimed = read_claims(claims) if claims else ()
    several = [read(kept, each, claimed) for each in found]
    if index:
        typer.echo(f"index: {gather(index, several, metric)}")
    if alone:
        for line in write(several[0], path, folder, metric=metric, figures=figures):
            typer.echo(line)


def _paths(store: str, out: Path | None) -> tuple[Path, Path | None]:
    """Return the page's path, and the folder of the tables if there is one."""
    if out is None:
        stem = "report" if "://" in store else Path(store).stem
        return Path(f"{stem}.html"), None
    if out.suffix in (".html", ".htm"):
        if not out.parent.is_dir():
            raise ValueError(f"{out}: the folder {out.parent} does not exist")
        return out, None
    if out.is_file():
        raise ValueError(f"{out}: must be a folder, or a file that ends in .html")
    return out / "report.html", out
