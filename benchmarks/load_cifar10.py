"""How long CIFAR-10's 60,000 images take to load, and how much memory beyond the arrays themselves.

The peer does the obvious: read all files, concatenate, turn the colours last. Each load runs in a fresh process, in
turns, best of several; growth is the process's highest resident memory less what it held before. The python version is
written to a temporary folder from the binary one, which EVENRANK_DATA must hold.

    EVENRANK_DATA=FOLDER python benchmarks/load_cifar10.py [--repeat 3] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from evenrank.datasets.cifar10 import Cifar10
from evenrank.machine import machine

BINARY, PYTHON = Cifar10.needs
Loaded = tuple[np.ndarray, np.ndarray]


def evenrank(root: Path) -> Loaded:
    found = Cifar10().load(root)
    return found.modalities["image"], found.labels


def naive_binary(root: Path) -> Loaded:
    records = np.concatenate([np.fromfile(root / name, np.uint8).reshape(-1, 3073) for name in BINARY[:-1]])
    return colours_last(records[:, 1:]), records[:, 0].astype(np.int64)


def naive_python(root: Path) -> Loaded:
    batches = [pickle.loads((root / name).read_bytes(), encoding="bytes") for name in PYTHON[:-1]]
    pixels = np.concatenate([batch[b"data"] for batch in batches])
    return colours_last(pixels), np.concatenate([batch[b"labels"] for batch in batches])


def colours_last(pixels: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(pixels.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))


CONTENDERS: dict[str, tuple[str, Callable[[Path], Loaded]]] = {
    "evenrank, binary": ("binary", evenrank),
    "naive, binary": ("binary", naive_binary),
    "evenrank, python": ("python", evenrank),
    "naive, python": ("python", naive_python),
}


def resident(field: str) -> float:
    """Return this process's resident memory in megabytes: VmRSS now, VmHWM at its highest."""
    return int(re.search(rf"{field}:\s+(\d+)", Path("/proc/self/status").read_text())[1]) * 1024 / 1e6


def run_one(name: str, root: Path) -> dict[str, float]:
    """Return what one contender takes in this process."""
    before, start = resident("VmRSS"), time.perf_counter()
    images, labels = CONTENDERS[name][1](root)
    seconds = time.perf_counter() - start
    growth, size = resident("VmHWM") - before, (images.nbytes + labels.nbytes) / 1e6
    return {"seconds": seconds, "arrays_mb": size, "growth_mb": growth, "beyond_arrays": growth / size - 1}


def fresh(name: str, root: Path) -> dict[str, float]:
    """Return `run_one` of a fresh process."""
    done = subprocess.run([sys.executable, __file__, name, str(root)], check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def write_python_version(root: Path, to: Path) -> None:
    (to / PYTHON[0]).parent.mkdir()
    for binary, python in zip(BINARY[:-1], PYTHON[:-1], strict=True):
        records = np.fromfile(root / binary, np.uint8).reshape(-1, 3073)
        names = [f"image_s_{row:06}.png".encode() for row in range(len(records))]
        batch = {b"labels": records[:, 0].tolist(), b"data": records[:, 1:].copy(), b"filenames": names}
        (to / python).write_bytes(pickle.dumps(batch, protocol=4))
    classes = (root / BINARY[-1]).read_bytes().split()
    (to / PYTHON[-1]).write_bytes(pickle.dumps({b"label_names": classes}, protocol=4))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("contender", nargs="*", help="run only this one, in this process: its name and its folder")
    parser.add_argument("--repeat", type=int, default=3, help="processes per contender; the fastest counts")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    if arguments.contender:
        name, folder = arguments.contender
        print(json.dumps(run_one(name, Path(folder))))
        return
    with tempfile.TemporaryDirectory() as temporary:
        roots = {"binary": Path(os.environ["EVENRANK_DATA"]), "python": Path(temporary)}
        write_python_version(roots["binary"], roots["python"])
        runs = [{name: fresh(name, roots[CONTENDERS[name][0]]) for name in CONTENDERS} for _ in range(arguments.repeat)]
    best = {name: min((run[name] for run in runs), key=lambda row: row["seconds"]) for name in CONTENDERS}
    print(machine())
    for name, row in best.items():
        print(
            f"{name:18}{row['seconds']:7.2f} s{row['growth_mb']:8.0f} MB{row['beyond_arrays']:8.0%} beyond the arrays"
        )
    if arguments.out:
        arguments.out.write_text(json.dumps({"machine": machine(), **best}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
