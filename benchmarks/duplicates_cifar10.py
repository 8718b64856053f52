"""Near-duplicates of CIFAR-10's test images among its training images, and of two sets of features.

Barz and Denzler (Journal of Imaging 2020) searched with a trained network and judged every pair by eye: 286 test
images repeat a training image. Here no network is trained. Reported are the seconds of the whole check and, for
several thresholds, how many test images are found and how many of them have the label of the image they repeat.
`--sheet` draws the pairs for judging, nearest first: test image left, training image right.

    python benchmarks/duplicates_cifar10.py DATA [--sheet FILE.png] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

import evenrank.leaks as leaks
from evenrank.catalog import make
from evenrank.dataset import Dataset, dataset
from evenrank.embeddings import Embeddings
from evenrank.leaks.near import nearest, typical_distance

MEMORY = 1 << 30
SHARES = (0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)
FEATURES = (("cub200/bundle.npz", "official"), ("cifar10-gist22k/bundle.npz", "per_class"))
COLUMNS = 12  # pairs in a row of the sheet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="where the datasets lie")
    parser.add_argument("--sheet", type=Path, help="draw the pairs here")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = parser.parse_args()
    images = dataset("cifar10", arguments.data)
    found = {"cifar10": checked(images, "cifar10(setting=2)")}
    ratios, pairs = neighbours(images)
    found["cifar10"] |= {"thresholds": [threshold(images, ratios, pairs, share) for share in SHARES]}
    found |= {name: checked(dataset(str(arguments.data / name)), protocol) for name, protocol in FEATURES}
    print(json.dumps(found, indent=1))
    if arguments.sheet:
        draw(arguments.sheet, images, pairs[ratios < leaks.NEAR])
    if arguments.out:
        arguments.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def checked(items: Dataset, protocol: str) -> dict[str, object]:
    """Return the seconds of the check of one split, and what it says."""
    [split] = make("protocols", protocol).splits(items)
    began = time.perf_counter()
    findings = leaks.check(items, split)
    seconds = round(time.perf_counter() - began, 2)
    return {"protocol": protocol, "seconds": seconds, "findings": [f"{f.severity}: {f.text}" for f in findings]}


def neighbours(items: Dataset) -> tuple[np.ndarray, np.ndarray]:
    """Return, nearest first, distances in units of the typical one and (test row, training row)."""
    train, test = np.flatnonzero(items.train), np.flatnonzero(~items.train)
    space = Embeddings(leaks.Fingerprints(items).vectors["image"], "euclidean")
    distances, rows = nearest(space, test, train, MEMORY)
    order = np.argsort(distances, kind="stable")
    return distances[order] / typical_distance(space, train, MEMORY), np.stack([test, rows], axis=1)[order]


def threshold(items: Dataset, ratios: np.ndarray, pairs: np.ndarray, share: float) -> dict[str, float]:
    """Return how many test images a threshold finds, and how many of them with their own label."""
    labels = items.labels[pairs[ratios < share]]
    return {"near": share, "found": len(labels), "same_label": int((labels[:, 0] == labels[:, 1]).sum())}


def draw(path: Path, items: Dataset, pairs: np.ndarray) -> None:
    from PIL import Image

    tiles = np.concatenate([items.modalities["image"][pairs[:, side]] for side in (0, 1)], axis=2)
    tiles = np.pad(tiles, ((0, -len(tiles) % COLUMNS), (2, 2), (2, 2), (0, 0)), constant_values=255)
    height, width = tiles.shape[1:3]
    sheet = tiles.reshape(-1, COLUMNS, height, width, 3).swapaxes(1, 2).reshape(-1, COLUMNS * width, 3)
    Image.fromarray(sheet).resize((2 * sheet.shape[1], 2 * len(sheet)), 0).save(path)


if __name__ == "__main__":
    main()
