"""How long a user waits before anything happens: import, help, and the first evaluation with and without a cache.

Each command runs in fresh processes, best of several. The peers are what no Python program can avoid: starting the
interpreter, and importing numpy.

    python benchmarks/start_up.py [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FIRST = """
import numpy as np, evenrank as er
codes = er.Codes.from_signs(np.random.default_rng(0).standard_normal((300, 48)))
er.evaluate(codes, codes, er.SameLabel(np.arange(300) % 5, np.arange(300) % 5), ["AP"], exclude_self=True)
"""


def seconds(arguments: list[str], repeat: int = 5, cache: str | None = None) -> float:
    """Return the shortest time a command takes."""
    environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
        times.append(time.perf_counter() - began)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the seconds as JSON")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        found = {
            "python": seconds(["-c", "pass"]),
            "import numpy": seconds(["-c", "import numpy"]),
            "import evenrank": seconds(["-c", "import evenrank"]),
            "evenrank --help": seconds(["-m", "evenrank.cli", "--help"]),
            "first evaluation, nothing compiled": seconds(["-c", FIRST], 1, cache),
            "first evaluation, compiled before": seconds(["-c", FIRST], 3, cache),
        }
    for what, time_taken in found.items():
        print(f"{what:36} {time_taken:7.3f} s")
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
