"""Paper 5's Table 2: NMI of networks that were never trained, on datasets with few and with many classes.

The paper: "NMI also tends to give high scores to datasets that have many classes, regardless of the model's true
accuracy"; random convnets reach about 20 on CUB200 and Cars196 (200 classes) and 73 to 81 on SOP (20,000). Here two
small networks from random weights (`evenrank.networks`), 64 outputs, look at CUB-200 thumbnails and at Omniglot
drawings, 32 pixels wide; the first classes of each, more and more of them, with the same number of items a class. Every
row is the mean over networks and seeds, with the lowest and the highest.

    EVENRANK_DATA=FOLDER python benchmarks/random_networks.py [--out FILE]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from PIL import Image

import evenrank as er
from evenrank.networks import build
from evenrank.table import text_table
from evenrank.training import encode

METRICS = ("NMI", "AMI", "P@1", "MAP@R")
NETWORKS = ("resnet", "dsh")
SEEDS = (0, 1, 2)
SIDE, OUTPUTS = 32, 64
SIZES = {  # classes, and items of each
    "cub200": [(classes, 40) for classes in (20, 50, 100, 200)],
    "omniglot": [*((classes, 20) for classes in (20, 100, 400)), *((classes, 5) for classes in (20, 100, 400, 1623))],
}


class Drawn(NamedTuple):
    """Small images and their classes."""

    images: np.ndarray
    labels: np.ndarray

    def first(self, classes: int, members: int) -> np.ndarray:
        """Return the rows of the first members of the first classes that have as many."""
        rows = [np.flatnonzero(self.labels == label)[:members] for label in np.unique(self.labels)]
        full = [each for each in rows if len(each) == members][:classes]
        return np.concatenate(full)


def drawn(name: str) -> Drawn:
    """Return a dataset's images, small."""
    data = er.dataset(name)
    images = [
        np.asarray(Image.fromarray(image).resize((SIDE, SIDE), Image.Resampling.BILINEAR))
        for image in map(data.modalities["image"].__getitem__, range(len(data)))
    ]
    return Drawn(np.stack(images), data.labels)


def measured(outputs: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """Return the metrics of items that search each other."""
    items = er.Embeddings(outputs)
    result = er.evaluate(items, items, er.SameLabel(labels, labels), METRICS, exclude_self=True)
    return {name: round(float(result.mean[name]), 4) for name in METRICS}


def rows(name: str) -> list[dict[str, object]]:
    """Return a row for each size of a dataset: mean, lowest and highest over networks and seeds."""
    data, found = drawn(name), {}
    for network in NETWORKS:
        for seed in SEEDS:
            outputs = encode(build(network, data.images.shape[1:], OUTPUTS, seed).eval(), data.images)
            for size in SIZES[name]:
                chosen = data.first(*size)
                found.setdefault(size, []).append(measured(outputs[chosen], data.labels[chosen]))
                print(name, network, seed, size, found[size][-1], flush=True)
    return [
        {"dataset": name, "classes": classes, "members": members}
        | {
            metric: {
                "mean": round(float(np.mean(values)), 4),
                "lowest": min(values),
                "highest": max(values),
            }
            for metric in METRICS
            for values in [[each[metric] for each in found[classes, members]]]
        }
        for classes, members in SIZES[name]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the rows as JSON")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    found = [row for name in SIZES for row in rows(name)]
    print(text_table(["dataset", "classes", "items a class", *METRICS], [cells(row) for row in found]))
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def cells(row: dict[str, object]) -> list[str]:
    """Return a row of the table."""
    return [
        str(row["dataset"]),
        str(row["classes"]),
        str(row["members"]),
        *(f"{row[name]['mean']:.3f} ({row[name]['lowest']:.3f} … {row[name]['highest']:.3f})" for name in METRICS),
    ]


if __name__ == "__main__":
    main()
