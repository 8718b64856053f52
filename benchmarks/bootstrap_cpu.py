"""What a BCa interval over 60,000 queries costs, in time and memory, beside scipy's.

scipy's BCa takes a jackknife of n resamples of n - 1 values; for a mean it has a closed form, which evenrank uses.
scipy is given batches too, and a part of the queries only: its time grows with the square of their number.

    python benchmarks/bootstrap_cpu.py [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from pathlib import Path

import numpy as np
from scipy import stats

from evenrank.intervals import bootstrap_interval

QUERIES, PART, RESAMPLES = 60_000, 6_000, 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    values = np.random.default_rng(0).beta(0.6, 2, QUERIES)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    ours = bootstrap_interval(values, 0.95, RESAMPLES, seed=0)
    seconds = time.perf_counter() - began
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    began = time.perf_counter()
    theirs = stats.bootstrap((values[:PART],), np.mean, n_resamples=RESAMPLES, batch=64, method="BCa", rng=0)
    peer = time.perf_counter() - began
    found = {"queries": QUERIES, "evenrank_s": seconds, "evenrank_mb": memory, "scipy_queries": PART, "scipy_s": peer}
    print(f"evenrank, {QUERIES:,} queries: {seconds:.2f} s, {memory:.0f} MB more, {ours[0]:.5f} … {ours[1]:.5f}")
    print(f"scipy,     {PART:,} queries: {peer:.2f} s, {theirs.confidence_interval}")
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
