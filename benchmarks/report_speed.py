"""How long a large report takes: 200 methods at 4 widths with 10 repeats each, 8,000 final jobs in one store.

The store is written first; each job in it left all that a real one leaves: three metrics of 50 queries, tie ranges,
curves, rankings with their pictures. Then the time to read it and to write the page is taken, in a process that has its
imports done, and in Chromium the time that opening, showing all rows and sorting take, until the browser has laid the
table out again: by every column, three times, of the 800 rows all being shown when the first column is sorted.

    python benchmarks/report_speed.py [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from evenrank.machine import machine
from evenrank.report.contents import read
from evenrank.report.page import page, write
from tests.report.browser import ALL, SORT, chromium, shown
from tests.report.stores import crowded

METHODS, WIDTHS, REPEATS = 200, (12, 24, 32, 48), 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the numbers as JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measured(Path(folder))
    for what, value in found.items():
        print(f"{what:42} {value}")
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def measured(folder: Path) -> dict[str, Any]:
    """Return seconds of making the page, its size, and seconds of opening and sorting it."""
    plan, store = crowded(folder, METHODS, WIDTHS, REPEATS)
    print(f"{METHODS * len(WIDTHS) * REPEATS:,} jobs are stored", file=sys.stderr)
    path = folder / "page.html"
    began = time.perf_counter()
    contents = read(store, plan)
    reading = time.perf_counter() - began
    write(path, page(contents))
    made = time.perf_counter() - began
    with chromium() as browser:
        began = time.perf_counter()
        with shown(browser, path) as opened:
            loading = time.perf_counter() - began
            whole, sorting = zip(*((opened.evaluate(ALL), opened.evaluate(SORT)) for _ in range(3)), strict=True)
    times = [taken for each in sorting for taken in each]
    return {
        "methods, widths, repeats": [METHODS, len(WIDTHS), REPEATS],
        "read the store, seconds": round(reading, 2),
        "read it and write the page, seconds": round(made, 2),
        "page, megabytes": round(path.stat().st_size / 1e6, 1),
        "open the page, seconds": round(loading, 2),
        "show all rows, median milliseconds": round(median(whole)),
        "sort by a column, median milliseconds": round(median(times)),
        "sort by a column, longest milliseconds": round(max(times)),
        "machine": machine(),
    }


if __name__ == "__main__":
    main()
