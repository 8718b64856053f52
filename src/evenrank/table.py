"""Tables for people: how a result looks on a screen."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from evenrank.result import Result


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Return an aligned text table; the first `left` columns are words, the others numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(header):
        table.add_column(name, justify="left" if place < left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    screen = Console(file=io.StringIO(), width=500, no_color=True, highlight=False)
    with screen.capture() as text:
        screen.print(table)
    return "\n".join(line[1:].rstrip() for line in text.get().split("\n")).strip("\n")


def number(value: float) -> str:
    """Return four digits behind the point, or a dash for what is undefined."""
    if math.isnan(value):
        return "–"
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:,.0f}"


def result_table(result: Result) -> str:
    """Return the metrics of a result with their intervals and tie-break ranges, and notes below."""
    rows = []
    for name, mean in result.mean.items():
        if name not in result.spreads:
            rows.append([name, number(mean), "", "", "", "", ""])
            continue
        low, high = result.interval(name)
        rows.append(
            [
                name,
                number(mean),
                f"{number(low)} … {number(high)}",
                number(result.worst[name]),
                number(result.best[name]),
                number(result.tie_std[name]),
                str(result.lacking.get(name, 0) or ""),
            ]
        )
    header = ["metric", "mean", "95 % interval", "worst ties", "best ties", "tie std", "no relevant"]
    return text_table(header, rows) + "\n\n" + "\n".join(notes(result))


def notes(result: Result) -> list[str]:
    """Return the lines below the table: what was evaluated, and what its ties and codes are like."""
    about = result.provenance
    own = ", self excluded" if about["exclude_self"] else ""
    ties = "expected over all tie orders" if about["ties"] == "expected" else "ties broken by database row"
    lines = [
        f"{about['queries']:,} queries, {about['database']:,} database items, {about['representation']}{own}; {ties}",
        f"{result.ties['TiedPairs']:,.0f} tied pairs of different level a query; "
        f"the first rank is undecided for {result.ties['Undecided']:.1%} of queries",
    ]
    if result.codes:
        lines.append(
            f"codes used: {result.codes['utilisation']:.1%} of those {about['database']:,} items could fill, "
            f"entropy {result.codes['entropy']:.3f}, {result.codes['collision_rate']:.1%} of items share theirs"
        )
    for name, empty in result.lookups.items():
        lines.append(f"{name}: {empty / about['queries']:.1%} of lookups are empty (precision 0)")
    if any(result.lacking.values()):
        how = {"skip": "skipped", "zero": "counted as 0", "one": "counted as 1"}[about["empty"]]
        lines.append(f"{max(result.lacking.values())} queries have no relevant item: {how} where a metric needs one")
    return lines
