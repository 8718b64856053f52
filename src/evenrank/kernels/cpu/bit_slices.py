"""Hamming distances of 512 items at a time: bits become planes, and planes are added as numbers in binary.

A *plane* is a vector with one bit of 512 items (item i of the block sits in word i % 8, bit i // 8). The distance of a
query to the block is the sum of as many planes as there are bits, each inverted where the query's bit is one. Bits are
taken sixteen at a time: five groups of three and a single one. A table holds, for each group and each of its 8 query
patterns, the two planes of the number of differing bits; it is built once for a block and word, and read by every
query of a batch. Full adders (two instructions each) then add 15 bits to 4 planes, 31 to 5, 63 to 6; the single bits
are the carries that enter each addition for free.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from evenrank.kernels.cpu.vector import (
    ITEMS,
    WORDS,
    empty,
    filled,
    full_adder,
    helper,
    inlined,
    inner,
    load,
    load_at,
    shift_left,
    shift_right,
    store,
)

UNIT = 16  # bits: five groups of three and one
UNITS = 4  # of a 64-bit word
PARTS = 6  # of a unit: five groups and the single bit
UNIT_TABLE = 5 * 8 * 2 + 2  # vectors
BYTES = 8 * WORDS  # of a vector
WORD_TABLE = UNITS * UNIT_TABLE
ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
SWAPS = np.array(
    [0x00000000FFFFFFFF, 0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF, 0x0F0F0F0F0F0F0F0F, 0x3333333333333333,
     0x5555555555555555], np.uint64,
)  # fmt: skip


@inner
def transpose(words: np.ndarray, block: int, planes: np.ndarray) -> None:
    """Write the 64 planes of each word of block `block` to `planes`, block after block, word after word.

    `words` (words of a code, items) uint64. In each of the 8 columns of vectors stands a 64 × 64 matrix of bits, which
    is transposed by swapping its off-diagonal halves, then quarters, … then single bits.
    """
    for word in range(len(words)):
        base = (block * len(words) + word) * 64
        for i in range(ITEMS):
            planes[base * WORDS + i] = words[word, block * ITEMS + i]
        half = 32
        for step in range(6):
            keep = filled(SWAPS[step])
            for start in range(0, 64, 2 * half):
                for i in range(base + start, base + start + half):
                    upper, lower = load(planes, i), load(planes, i + half)
                    swap = (shift_right(upper, half) ^ lower) & keep
                    store(planes, i, upper ^ shift_left(swap, half))
                    store(planes, i + half, lower ^ swap)
            half //= 2


@helper
def table_positions(queries: np.ndarray) -> np.ndarray:
    """Return (queries, words · 24) uint32: at which byte of a word's table each part of a query's code begins."""
    positions = np.empty((len(queries), queries.shape[1] * UNITS * PARTS), np.uint32)
    for q in range(len(queries)):
        for unit in range(queries.shape[1] * UNITS):
            bits = np.int64(queries[q, unit // UNITS] >> np.uint64(unit % UNITS * UNIT)) & 0xFFFF
            base = unit % UNITS * UNIT_TABLE
            for group in range(5):
                positions[q, unit * PARTS + group] = (base + group * 16 + (bits >> (3 * group) & 7) * 2) * BYTES
            positions[q, unit * PARTS + 5] = (base + 80 + (bits >> 15)) * BYTES
    return positions


@inner
def fill_table(planes: np.ndarray, first: int, units: int, table: np.ndarray) -> None:
    """Write the table of the word whose 64 planes begin at `first`; the pattern 7 - p is the complement of p."""
    ones = filled(ONES)
    for unit in range(units):
        base, plane = unit * UNIT_TABLE, first + unit * UNIT
        for group in range(5):
            a, b, c = (
                load(planes, plane + group * 3),
                load(planes, plane + group * 3 + 1),
                load(planes, plane + group * 3 + 2),
            )
            for pattern in range(4):
                x = a ^ ones if pattern & 1 else a
                y = b ^ ones if pattern & 2 else b
                low, high = full_adder(x, y, c)
                here, there = base + group * 16 + pattern * 2, base + group * 16 + (7 - pattern) * 2
                store(table, here, low)
                store(table, here + 1, high)
                store(table, there, low ^ ones)
                store(table, there + 1, high ^ ones)
        single = load(planes, plane + 15)
        store(table, base + 80, single)
        store(table, base + 81, single ^ ones)


@inlined
def sum_15(table: Any, positions: Any, query: Any, unit: Any) -> Any:
    """Return four planes: how many of the 15 bits in a unit's five groups differ."""
    part = unit * PARTS
    a, b, c = positions[query, part], positions[query, part + 1], positions[query, part + 2]
    d, e = positions[query, part + 3], positions[query, part + 4]
    one, two_a = full_adder(load_at(table, a), load_at(table, b), load_at(table, c))
    one, two_b = full_adder(one, load_at(table, d), load_at(table, e))
    two, four_a = full_adder(load_at(table, a + BYTES), load_at(table, b + BYTES), load_at(table, c + BYTES))
    two_c, four_b = full_adder(load_at(table, d + BYTES), load_at(table, e + BYTES), two_a)
    two, four_c = full_adder(two, two_c, two_b)
    four, eight = full_adder(four_a, four_b, four_c)
    return one, two, four, eight


@inlined
def single(table: Any, positions: Any, query: Any, unit: Any) -> Any:
    """Return the plane of a unit's single bit: does it differ."""
    return load_at(table, positions[query, unit * PARTS + 5])


@inlined
def sum_31(table: Any, positions: Any, query: Any, unit: Any) -> Any:
    """Return five planes: how many bits of two units differ, but for the single bit of the second."""
    a0, a1, a2, a3 = sum_15(table, positions, query, unit)
    b0, b1, b2, b3 = sum_15(table, positions, query, unit + 1)
    one, carry = full_adder(a0, b0, single(table, positions, query, unit))
    two, carry = full_adder(a1, b1, carry)
    four, carry = full_adder(a2, b2, carry)
    eight, sixteen = full_adder(a3, b3, carry)
    return one, two, four, eight, sixteen


@inlined
def sum_63(table: Any, positions: Any, query: Any, unit: Any) -> Any:
    """Return six planes: how many bits of four units differ, but for the single bit of the last."""
    a0, a1, a2, a3, a4 = sum_31(table, positions, query, unit)
    b0, b1, b2, b3, b4 = sum_31(table, positions, query, unit + 2)
    one, carry = full_adder(a0, b0, single(table, positions, query, unit + 1))
    two, carry = full_adder(a1, b1, carry)
    four, carry = full_adder(a2, b2, carry)
    eight, carry = full_adder(a3, b3, carry)
    sixteen, thirty_two = full_adder(a4, b4, carry)
    return one, two, four, eight, sixteen, thirty_two


@inlined
def sum_47(table: Any, positions: Any, query: Any, unit: Any) -> Any:
    """Return six planes: how many bits of three units differ, but for the single bit of the last."""
    a0, a1, a2, a3, a4 = sum_31(table, positions, query, unit)
    b0, b1, b2, b3 = sum_15(table, positions, query, unit + 2)
    one, carry = full_adder(a0, b0, single(table, positions, query, unit + 1))
    two, carry = full_adder(a1, b1, carry)
    four, carry = full_adder(a2, b2, carry)
    eight, carry = full_adder(a3, b3, carry)
    return one, two, four, eight, a4 ^ carry, a4 & carry


@inlined
def sum_word(table: Any, positions: Any, query: Any, unit: Any, units: Any) -> Any:
    """Return six planes and a carry that together say how many bits of `units` units from `unit` on differ."""
    none = empty()
    carry = single(table, positions, query, unit + units - 1)
    if units == 4:
        p0, p1, p2, p3, p4, p5 = sum_63(table, positions, query, unit)
    elif units == 3:
        p0, p1, p2, p3, p4, p5 = sum_47(table, positions, query, unit)
    elif units == 2:
        p0, p1, p2, p3, p4 = sum_31(table, positions, query, unit)
        p5 = none
    else:
        p0, p1, p2, p3 = sum_15(table, positions, query, unit)
        p4, p5 = none, none
    return p0, p1, p2, p3, p4, p5, carry


@inlined
def one_word(table: Any, positions: Any, query: Any, units: Any) -> Any:
    """Return the seven planes of the distance within the only word of a code."""
    p0, p1, p2, p3, p4, p5, carry = sum_word(table, positions, query, 0, units)
    p0, carry = p0 ^ carry, p0 & carry
    p1, carry = p1 ^ carry, p1 & carry
    p2, carry = p2 ^ carry, p2 & carry
    p3, carry = p3 ^ carry, p3 & carry
    p4, carry = p4 ^ carry, p4 & carry
    return p0, p1, p2, p3, p4, p5 ^ carry, p5 & carry


@inlined
def add_word(table: Any, positions: Any, query: Any, word: Any, units: Any, planes: Any, first: Any, count: Any) -> Any:
    """Add the distance within word number `word` to the number that stands in `count` planes from `first` on."""
    p0, p1, p2, p3, p4, p5, carry = sum_word(table, positions, query, word * UNITS, units)
    p0, carry = full_adder(p0, load(planes, first), carry)
    p1, carry = full_adder(p1, load(planes, first + 1), carry)
    p2, carry = full_adder(p2, load(planes, first + 2), carry)
    p3, carry = full_adder(p3, load(planes, first + 3), carry)
    p4, carry = full_adder(p4, load(planes, first + 4), carry)
    p5, carry = full_adder(p5, load(planes, first + 5), carry)
    store(planes, first, p0)
    store(planes, first + 1, p1)
    store(planes, first + 2, p2)
    store(planes, first + 3, p3)
    store(planes, first + 4, p4)
    store(planes, first + 5, p5)
    for plane in range(first + 6, first + count):
        running = load(planes, plane)
        store(planes, plane, running ^ carry)
        carry = running & carry
