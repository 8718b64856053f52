"""A database of codes larger than the machine's memory, evaluated from a memory map.

The file is sparse: zeros that take no disk, but are read and counted like any other codes. Reported are the time and
the memory that the process holds for itself; pages of the file come and go.

    python benchmarks/memory_map.py FOLDER [--gigabytes 32] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from pathlib import Path

import numpy as np

import evenrank as er

QUERIES, BITS = 256, 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the file is made, and removed again")
    parser.add_argument("--gigabytes", type=int, default=32, help="size of the file")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    rows, path = arguments.gigabytes * 10**9 // (BITS // 8), arguments.folder / "codes.npy"
    np.lib.format.open_memmap(path, "w+", np.uint8, (rows, BITS // 8)).flush()
    try:
        codes = er.Codes.from_file(path, form="packed", bits=BITS)
        queries = er.Codes.from_packed(np.random.default_rng(0).integers(0, 256, (QUERIES, BITS // 8), dtype=np.uint8))
        relevance = er.Qrels([(0, 5, 1), (1, rows - 1, 1)], queries=QUERIES, database=rows)
        began = time.perf_counter()
        er.evaluate(queries, codes, relevance, ["AP", "P@10"])
        seconds = time.perf_counter() - began
    finally:
        path.unlink()
    own = int(re.search(r"RssAnon:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    found = {"gigabytes": arguments.gigabytes, "rows": rows, "queries": QUERIES, "machine_gb": memory}
    found |= {"seconds": seconds, "own_mb": own, "gigapairs": rows * QUERIES / seconds / 1e9}
    print(json.dumps(found, indent=1))
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
