"""Histogram of 512 distances held in bit planes: masks of the items in ever smaller ranges of distances.

The upper planes split the items into ranges of eight distances; empty ranges are skipped. Inside a range the items are
counted that have a given set of the lowest three planes set, whatever the others: one `and` a count, where exact
distances take two. `flush` turns these into counts per distance: of a range that begins at 0, the items at distance 4
are those with 4 set, less those with 4 and 2, less those with 4 and 1, plus those with all three. Four counts share a
64-bit word, 16 bits each, so that histograms stay in the cache; a slice of the database has fewer than 65,536 items.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from evenrank.kernels.cpu.vector import (
    any_bit,
    empty,
    helper,
    inlined,
    inner,
    load,
    popcount,
    shift_left,
    store,
    word_sum,
)

OCTET = 2  # vectors that hold the counts of eight distances


@inlined
def packed_counts(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the popcounts of four masks, side by side in 16 bits each."""
    return popcount(a) + shift_left(popcount(b), 16) + shift_left(popcount(c), 32) + shift_left(popcount(d), 48)


@inlined
def add_8(mask: Any, p2: Any, p1: Any, p0: Any, counts: Any, at: Any) -> Any:
    """Add the items of `mask`, whose distances differ only in the lowest three planes, to the octet at `at`."""
    if any_bit(mask):
        four, two, one = mask & p2, mask & p1, mask & p0
        store(counts, at, load(counts, at) + packed_counts(mask, one, two, two & one))
        store(counts, at + 1, load(counts, at + 1) + packed_counts(four, four & one, four & two, four & two & one))


@inlined
def add_16(mask: Any, p3: Any, p2: Any, p1: Any, p0: Any, counts: Any, at: Any) -> Any:
    """Add the items of `mask`, whose distances differ only in the lowest four planes."""
    upper = mask & p3
    add_8(mask ^ upper, p2, p1, p0, counts, at)
    add_8(upper, p2, p1, p0, counts, at + OCTET)


@inlined
def add_32(mask: Any, p4: Any, p3: Any, p2: Any, p1: Any, p0: Any, counts: Any, at: Any) -> Any:
    """Add the items of `mask`, whose distances differ only in the lowest five planes."""
    upper = mask & p4
    add_16(mask ^ upper, p3, p2, p1, p0, counts, at)
    add_16(upper, p3, p2, p1, p0, counts, at + 2 * OCTET)


@inlined
def add_64(mask: Any, p5: Any, p4: Any, p3: Any, p2: Any, p1: Any, p0: Any, counts: Any, at: Any) -> Any:
    """Add the items of `mask`, whose distances differ only in the lowest six planes."""
    upper = mask & p5
    add_32(mask ^ upper, p4, p3, p2, p1, p0, counts, at)
    add_32(upper, p4, p3, p2, p1, p0, counts, at + 4 * OCTET)


@inner
def add_all(mask: Any, planes: Any, first: Any, upper: Any, ranges: Any, counts: Any, at: Any) -> Any:
    """Add the items of `mask`, whose distances stand in 6 + `upper` planes from `first` on, to the histogram at `at`.

    `ranges` of 64 distances each cover all that occur.
    """
    for number in range(ranges):
        inside = mask
        for bit in range(upper):
            plane = load(planes, first + 6 + bit)
            inside = inside & plane if number >> bit & 1 else inside & (inside ^ plane)
        if any_bit(inside):
            add_64(
                inside,
                load(planes, first + 5),
                load(planes, first + 4),
                load(planes, first + 3),
                load(planes, first + 2),
                load(planes, first + 1),
                load(planes, first),
                counts,
                at + number * 8 * OCTET,
            )


@helper
def flush(packed: np.ndarray, octets: int, counts: np.ndarray) -> None:
    """Add packed histograms (level, query) to `counts` (queries, distances, levels) and clear them."""
    found, at = np.empty(8, np.int64), 0
    for level in range(counts.shape[2]):
        for q in range(len(counts)):
            for octet in range(octets):
                for half in range(OCTET):
                    total = word_sum(load(packed, at))
                    store(packed, at, empty())
                    at += 1
                    for i in range(4):
                        found[half * 4 + i] = (total >> np.uint64(16 * i)) & np.uint64(0xFFFF)
                if found[0]:
                    for plane in (1, 2, 4):
                        for i in range(8):
                            if not i & plane:
                                found[i] -= found[i + plane]
                    for i in range(min(8, counts.shape[1] - octet * 8)):
                        counts[q, octet * 8 + i, level] += found[i]
