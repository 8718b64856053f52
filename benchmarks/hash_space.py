"""Paper 2's Proposition 1: how much of the hash space can be used at mAP = 1, if no class sits on a single code?

The paper's answer is at most 2/3. Here every subset of the 2^b codes is tried, for b from 2 to 5, under two conditions:

- AP = 1: from each code of a class, all its other codes are strictly nearer than any code of another class. That is
  mAP = 1 in every order of ties, for queries that lie on the codes of their class.
- diameter < gap: the diameter of a class is below its distance to every other class; the paper's stronger condition.

Every class has at least two codes, and there are at least two classes. Without the first, every code can be a class of
its own, without the second all codes can be one class: both use the whole space at AP = 1.

Which class a code is in need not be tried. A code must be with its nearest used codes, and with all used codes that are
as near as the farthest of its class (or, for the second condition, as the diameter). The smallest sets closed in that
way either contain each other or are disjoint, so the used codes fall into several classes iff no code's is all of them.
Beside this search, every labelling of the codes is evaluated for b ≤ 3, and so is each best arrangement.

    python benchmarks/hash_space.py [--bits 5] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

import evenrank as er
from evenrank.table import number, text_table

CONDITIONS = {"AP = 1": False, "diameter < gap": True}
BOUND = 2 / 3
SIZES = np.array([mask.bit_count() for mask in range(1 << 16)])  # bits set in 16 of them


def distances(bits: int) -> np.ndarray:
    """Return the Hamming distance of every two codes, (codes, codes)."""
    codes = np.arange(1 << bits)
    return SIZES[codes[:, None] ^ codes]


def balls(bits: int) -> np.ndarray:
    """Return the codes within each radius of each code, as a mask with one bit a code; (codes, radii) int64."""
    near = distances(bits)[:, None, :] <= np.arange(bits + 1)[:, None]  # (codes, radii, codes)
    return (near * (1 << np.arange(1 << bits))).sum(axis=2)


@njit
def smallest_class(code: int, used: int, near: np.ndarray, by_diameter: bool) -> int:
    """Return the mask of the fewest used codes that can form a class with `code`, of four or more used codes."""
    members, diameter, grows = 1 << code, 0, True
    while grows:
        before = members, diameter
        for member in range(len(near)):
            if members >> member & 1:
                radius = 1
                while members & ~near[member, radius] or used & near[member, radius] == 1 << member:
                    radius += 1
                diameter = max(diameter, radius)
                members |= used & near[member, diameter if by_diameter else radius]
        grows = (members, diameter) != before and members != used
    return members


@njit
def largest(known: int, near: np.ndarray, sizes: np.ndarray, by_diameter: bool) -> int:
    """Return the largest mask of used codes that fall into several classes, or `known` if none is larger."""
    best, size = known, max(3, sizes[known & 0xFFFF] + sizes[known >> 16])
    for used in range(1, 1 << len(near), 2):  # with code 0: flipping the same bits of all codes changes no distance
        count = sizes[used & 0xFFFF] + sizes[used >> 16]
        if count > size:
            for code in range(len(near)):
                if used >> code & 1 and smallest_class(code, used, near, by_diameter) == used:
                    break
            else:
                best, size = used, count
    return best


def half(bits: int) -> np.ndarray:
    """Return labels by which half of the codes are used in pairs: any first bit, an even number of ones after it."""
    codes = np.arange(1 << bits)
    return np.where(SIZES[codes >> 1] % 2 == 0, codes >> 1, -1)


def classes(used: int, bits: int, by_diameter: bool) -> np.ndarray:
    """Return the class of each code, -1 where it is not used: of the smallest classes the outermost."""
    near, labels = balls(bits), np.full(1 << bits, -1)
    masks = {smallest_class(code, used, near, by_diameter) for code in range(1 << bits) if used >> code & 1}
    for label, mask in enumerate(sorted(masks, key=int.bit_count)):
        labels[[code for code in range(1 << bits) if mask >> code & 1]] = label
    return labels


def worst_ap(labels: np.ndarray, bits: int) -> float:
    """Return mAP in the worst order of ties, with one item on each used code that is also a query."""
    used = np.flatnonzero(labels >= 0)
    codes = er.Codes.from_bits(used[:, None] >> np.arange(bits) & 1)
    return er.evaluate(codes, codes, er.SameLabel(labels[used], labels[used]), ["AP"]).worst["AP"]


def gap_exceeds_diameter(labels: np.ndarray, bits: int) -> bool:
    """Return whether each class is farther from all others than it is wide."""
    apart, used = distances(bits), labels >= 0
    own = {label: apart[np.ix_(labels == label, labels == label)].max() for label in labels[used]}
    return all(apart[np.ix_(labels == label, used & (labels != label))].min() > own[label] for label in own)


def labellings(codes: int, start: tuple[int, ...] = ()) -> Iterator[np.ndarray]:
    """Yield every way to put codes into two or more classes of two or more codes, or to leave them out (-1)."""
    if len(start) < codes:
        for label in range(-1, max(start, default=-1) + 2):
            yield from labellings(codes, (*start, label))
    else:
        counts = Counter(label for label in start if label >= 0).values()
        if len(counts) > 1 and min(counts) > 1:
            yield np.array(start)


def evaluated(bits: int) -> dict[str, int]:
    """Return the most codes used under each condition, by evaluating every labelling."""
    most = dict.fromkeys(CONDITIONS, 0)
    for labels in labellings(1 << bits):
        held = worst_ap(labels, bits) == 1, gap_exceeds_diameter(labels, bits)
        for name, holds in zip(most, held, strict=True):
            most[name] = max(most[name], int(holds) * int((labels >= 0).sum()))
    return most


def row(bits: int) -> dict[str, Any]:
    """Return the most codes used under each condition, and the arrangement that does it."""
    found: dict[str, Any] = {"bits": bits, "codes": 1 << bits}
    known = int((1 << np.flatnonzero(half(bits) >= 0)).sum()) if bits > 4 else 0  # spares the longest search the rest
    for name, by_diameter in CONDITIONS.items():
        used = largest(known, balls(bits), SIZES, by_diameter)
        labels = classes(used, bits, by_diameter)
        groups = [np.flatnonzero(labels == label).tolist() for label in np.unique(labels[labels >= 0])]
        value = worst_ap(labels, bits) if used else None
        found[name] = {
            "used": used.bit_count(),
            "share": used.bit_count() / (1 << bits),
            "AP": value,
            "classes": groups,
        }
        if used and (value != 1 or (by_diameter and not gap_exceeds_diameter(labels, bits))):
            raise ValueError(f"the arrangement of {bits} bits does not satisfy {name}: {groups}")
    if bits <= 3 and evaluated(bits) != {name: found[name]["used"] for name in CONDITIONS}:
        raise ValueError(f"evaluating every labelling of {bits} bits finds other maxima than the search")
    return found


def verdict(shares: list[float]) -> str:
    """Return whether the paper's bound holds for the largest shares found."""
    holds = "held" if max(shares) <= BOUND else "DID NOT HOLD"
    return f"{holds}; {'attained' if max(shares) == BOUND else f'the most is {max(shares):.3f}'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bits", type=int, default=5, choices=(2, 3, 4, 5), help="of the longest codes searched")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "hash_space.json")
    arguments = parser.parse_args()
    rows = [row(bits) for bits in range(2, arguments.bits + 1)]
    lines = []
    for r, name in product(rows, CONDITIONS):
        best = r[name]
        value = number(best["AP"] if best["used"] else math.nan)
        lines.append([f"{r['bits']}", name, f"{best['used']} of {r['codes']}", f"{len(best['classes'])}", value])
    print(text_table(["bits", "condition", "most codes used", "classes", "AP, worst ties"], lines, left=2))
    claims = {name: verdict([r[name]["share"] for r in rows]) for name in CONDITIONS}
    halves = {bits: worst_ap(half(bits), bits) for bits in range(3, 13)}
    free = {
        "one class": worst_ap(np.zeros(1 << arguments.bits, int), arguments.bits),
        "one code a class": worst_ap(np.arange(1 << arguments.bits), arguments.bits),
    }
    print(f"at most 2/3 of the codes: {claims}")
    print(f"half of the codes, in pairs: AP {halves}")
    print(f"the whole space: AP {free}")
    found = {"bound": BOUND, "claims": claims, "rows": rows, "half": halves, "whole space": free}
    arguments.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
