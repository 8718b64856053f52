"""`evenrank data check`: does a protocol leak on this data?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

if TYPE_CHECKING:
    from evenrank.leaks import Finding
    from evenrank.split import Split


def check(
    dataset: Annotated[str, Argument(help="Name, name(keyword=value) or path of the data.")],
    protocol: Annotated[str, Argument(help="Name or name(keyword=value) of the protocol.")],
    data: Annotated[Path | None, Option(metavar="DIR", help="Where datasets lie, if not EVENRANK_DATA.")] = None,
    split: Annotated[str, Option(metavar="NAME", help="Check this split only.")] = "",
    near: Annotated[
        float, Option(help="Near-duplicate: closer than this share of the typical distance; 0: do not search.")
    ] = 0.6,
    json: Annotated[Path | None, Option(metavar="FILE", help="Write the findings here.")] = None,
) -> None:
    """Look for leaks: shared items and classes, duplicates, features and orders that skew results.

    The exit status is 1 if there is a leak.

    Example: evenrank data check digits "hold_out(share=0.1)"
    """
    from evenrank.catalog import make
    from evenrank.cli.progress import progress
    from evenrank.dataset import dataset as load
    from evenrank.leaks import Fingerprints
    from evenrank.leaks import check as check_leaks

    if json and not json.parent.is_dir():
        raise ValueError(f"{json}: the folder {json.parent} does not exist")
    setting, items = make("protocols", protocol), load(dataset, data)
    typer.echo(f"{items}\n{setting}")
    prints, found = Fingerprints(items), {}
    chosen = choose(list(setting.splits(items)), split)
    for each in chosen:
        with progress(f"near-duplicates of {each.name}") as report:
            found[each.name] = check_leaks(items, each, near=near, progress=report, fingerprints=prints)
        typer.echo(f"\n{each}\n\n{table(found[each.name])}")
    if json:
        about = {"dataset": items.name, "checksum": items.checksum, "protocol": str(setting), "near": near}
        write(json, about, chosen, found)
    if any(finding.severity == "leak" for findings in found.values() for finding in findings):
        raise typer.Exit(1)


def choose(splits: list[Split], name: str) -> list[Split]:
    """Return the splits called `name`, or all if it is empty."""
    chosen = [split for split in splits if name in ("", split.name)]
    if not chosen:
        raise ValueError(f"--split must be one of {', '.join(split.name for split in splits)}; got {name!r}")
    return chosen


def table(findings: list[Finding]) -> str:
    """Return the findings for a person to read: a table, and a line that explains each."""
    from evenrank.table import text_table

    if not findings:
        return "nothing found"
    rows = [[each.severity, each.kind, examples(each), f"{each.count:,}"] for each in findings]
    lines = [f"{each.severity}: {each.text}" for each in findings]
    return "\n".join([text_table(["severity", "what", "example rows", "how many"], rows, left=3), "", *lines])


def examples(finding: Finding) -> str:
    """Return the example rows as text, those of a pair joined by a tilde."""
    return ", ".join("~".join(map(str, row)) if isinstance(row, list) else str(row) for row in finding.rows.tolist())


def write(path: Path, about: dict[str, object], splits: list[Split], found: dict[str, list[Finding]]) -> None:
    """Write the findings as JSON."""
    from json import dumps

    checked = [
        {
            "name": split.name,
            "hash": split.hash,
            "findings": [{**vars(finding), "rows": finding.rows.tolist()} for finding in found[split.name]],
        }
        for split in splits
    ]
    text = dumps({**about, "splits": checked}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")
