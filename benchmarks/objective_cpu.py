"""What one step of a listwise objective costs on the processor: forward and backward, time and memory.

A batch of M items, 64 outputs each, ten classes, float32. Contenders, each in a fresh process, best of several steps:

- evenrank exact, evenrank simplified: tie-aware AP on soft counts, every pair in its two bins, tile by tile;
- dense: the same simplified AP as public code has it, one weight for every pair and bin, differentiated by autograd;
- evenrank FastAP and pytorch-metric-learning FastAP, both with 64 bins;
- products: the three matrix products that no objective on all pairs can do without.

Growth is the highest resident memory less what the process held before the first step. A contender that does not fit in
the machine's memory is left out at that M.

    python benchmarks/objective_cpu.py [--repeat 5] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from evenrank.machine import machine

BITS = 64
SIZES = (256, 1024, 4096, 8192)
LIMIT = 22 << 30  # bytes of memory that a contender may ask for


def contenders() -> dict[str, Callable]:
    """Return functions (outputs, labels, batch) -> loss; what they need is imported here, before memory is measured."""
    import torch
    from pytorch_metric_learning.losses import FastAPLoss

    from evenrank.objectives.fast_ap import FastAP
    from evenrank.objectives.tie_aware_ap import TieAwareAP

    def dense(outputs, labels, batch):
        codes = torch.tanh(outputs)
        distances = (BITS - codes @ codes.T) / 2
        weights = (1 - (distances[..., None] - torch.arange(BITS + 1.0)).abs()).clamp(min=0)  # (M, M, bins)
        similar = batch.similar.float()
        positive = torch.einsum("ijb,ij->ib", weights, similar)
        here = positive + torch.einsum("ijb,ij->ib", weights, batch.different.float())
        before, positive_before = here.cumsum(1) - here, positive.cumsum(1) - positive
        parts = positive * (2 * positive_before + positive + 1) / (2 * before + here + 1)
        return 1 - (parts.sum(1) / similar.sum(1)).mean()

    def products(outputs, labels, batch):
        codes = torch.tanh(outputs)
        return (codes @ codes.T).sum()

    library = FastAPLoss(num_bins=BITS)
    return {
        "evenrank exact": lambda outputs, labels, batch: TieAwareAP(relaxation="exact")(outputs, batch),
        "evenrank simplified": lambda outputs, labels, batch: TieAwareAP()(outputs, batch),
        "dense": dense,
        "evenrank FastAP": lambda outputs, labels, batch: FastAP(bins=BITS)(outputs, batch),
        "pytorch-metric-learning FastAP": lambda outputs, labels, batch: library(outputs, labels),
        "products": products,
    }


def measure(who: str, items: int, repeat: int) -> dict[str, float]:
    """Return seconds, megabytes and value of one contender: called in a fresh process."""
    import numpy as np
    import torch

    from evenrank.objective import batch_of
    from evenrank.relevance import SameLabel

    random = np.random.default_rng(0)
    labels = random.integers(0, 10, items)
    features = np.eye(10)[labels] @ random.normal(size=(10, BITS)) + 2 * random.normal(size=(items, BITS))
    batch = batch_of(SameLabel(labels, labels), np.arange(items))
    loss, small = contenders()[who], 64
    warm = torch.tensor(features[:small], dtype=torch.float32, requires_grad=True)
    loss(warm, torch.tensor(labels[:small]), batch_of(SameLabel(labels, labels), np.arange(small))).backward()
    outputs = torch.tensor(features, dtype=torch.float32, requires_grad=True)
    before, best = resident("VmRSS"), float("inf")
    for _ in range(repeat):
        outputs.grad = None
        began = time.perf_counter()
        value = loss(outputs, torch.tensor(labels), batch)
        value.backward()
        best = min(best, time.perf_counter() - began)
    gradient = float(outputs.grad.norm())
    return {"seconds": best, "megabytes": resident("VmHWM") - before, "value": float(value), "gradient": gradient}


def resident(what: str) -> float:
    """Return a line of the process's status in megabytes: VmRSS now, VmHWM at most so far."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{what}:\s+(\d+) kB", status).group(1)) / 1000


def one(who: str, items: int, repeat: int) -> dict[str, float] | None:
    """Run one contender in a process of its own; None if memory does not suffice."""
    command = [sys.executable, __file__, "--one", who, str(items), "--repeat", str(repeat)]
    done = subprocess.run(command, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "objective_cpu.json")
    parser.add_argument("--one", nargs=2)
    arguments = parser.parse_args()
    if arguments.one:
        resource.setrlimit(resource.RLIMIT_DATA, (LIMIT, LIMIT))
        print(json.dumps(measure(arguments.one[0], int(arguments.one[1]), arguments.repeat)))
        return
    found: dict[str, dict] = {}
    for items in SIZES:
        found[str(items)] = {}
        for who in contenders():
            row = one(who, items, arguments.repeat if items < 4096 else 2)
            found[str(items)][who] = row
            print(items, who, row, flush=True)
    arguments.out.write_text(json.dumps({"machine": machine(), "bits": BITS, "batches": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
