"""Paper 5's Fig. 1: three embedding spaces that Recall@1, NMI and F1 cannot tell apart, and MAP@R can.

Three classes of 200 points in the plane. Two of them are eight tight clumps each on a grid of sixteen, the third is one
wide disc far away. In space a the two alternate like a checkerboard, in b only one row is swapped, in c they are
apart. Every point's nearest neighbour is of its own class in all three; and k-means, asked for three clusters, always
spends two on the disc and one on both others, so that no score of its clusters sees the difference.

    python benchmarks/toy_spaces.py [--out FILE]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import evenrank as er
from evenrank.table import number, text_table

METRICS = ("Success@1", "NMI", "AMI", "ClusterF1", "Rprec", "MAP@R")
CHECKERBOARD = np.indices((4, 4)).sum(axis=0) % 2
HALVES = np.repeat([[0, 0, 1, 1]], 4, axis=0)
ONE_ROW_SWAPPED = np.where(np.arange(4)[:, None] == 0, 1 - HALVES, HALVES)
SPACES = {
    "a: alternating clumps": (CHECKERBOARD, 0.0),
    "b: one row swapped": (ONE_ROW_SWAPPED, 0.0),
    "c: apart": (HALVES, 4.0),
}


def space(classes: np.ndarray, gap: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return points and labels: clumps of 25 points on a 4 × 4 grid by class, its right half moved by `gap`; a disc."""
    random = np.random.default_rng(seed)
    row, column = (np.repeat(axis.ravel(), 25) for axis in np.indices((4, 4)))
    clumps = np.stack([column + gap * (column > 1), row], axis=1) + 0.05 * random.standard_normal((400, 2))
    radius, angle = 15 * np.sqrt(random.random(200)), 2 * np.pi * random.random(200)
    disc = np.stack([100 + radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return np.concatenate([clumps, disc]), np.concatenate([np.repeat(classes.ravel(), 25), np.full(200, 2)])


def scores() -> dict[str, dict[str, float]]:
    """Return the metrics of each space."""
    found = {}
    for name, (classes, gap) in SPACES.items():
        points, labels = space(classes, gap)
        items = er.Embeddings(points, "euclidean")
        found[name] = er.evaluate(items, items, er.SameLabel(labels, labels), METRICS, exclude_self=True).mean
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the scores as JSON")
    arguments = parser.parse_args()
    found = scores()
    print(text_table(["space", *METRICS], [[name, *map(number, mean.values())] for name, mean in found.items()]))
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
