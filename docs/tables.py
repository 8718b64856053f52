"""Write the tables of the documentation that follow from the catalog; `tests/test_docs.py` checks that they are fresh.

python docs/tables.py
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from evenrank.catalog import Entry, entries
from evenrank.parameters import ranges

PAGE = Path(__file__).parent / "metrics.md"
MARK = "<!-- made by docs/tables.py -->"
CUTS = {"none": "", "rank": "@k", "relevant": "@R", "radius": "@H<=r"}


def row(entry: Entry) -> str:
    """Return one line of the table: names, cut-offs, options, summary."""
    cls = entry.load()
    name, *others = cls.names
    others += sorted(cls.aliases)
    cuts = ", ".join(f"`{name}{CUTS[kind]}`" for kind in cls.cutoffs)
    allowed = {option: str(given) for option, given, _ in ranges(cls)}
    defaults = {field.name: field.default for field in fields(cls)}
    options = "; ".join(
        f"`{option}`: {what} ({'as the relevance says' if defaults[option] is None else defaults[option]})"
        for option, what in allowed.items()
    )
    return f"| {cuts} | {', '.join(f'`{other}`' for other in others)} | {options} | {entry.summary} |"


def table() -> str:
    """Return the table of all metrics."""
    head = "| written | also | options (default) | what it is |\n|---|---|---|---|"
    return "\n".join([head, *map(row, entries("metrics"))])


def page() -> str:
    """Return the page with its table renewed."""
    before, _, after = PAGE.read_text(encoding="utf-8").split(MARK)
    return f"{before}{MARK}\n{table()}\n{MARK}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
