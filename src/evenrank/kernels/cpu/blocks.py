"""Count a slice of the database for a run of queries, block by block.

The queries of a batch share each block's tables. For each query the block's items are split by level, with the masks
of the lists the query holds, and each part goes through the mask tree into the histogram of its level.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from evenrank.kernels.cpu.arrangement import EMPTY, Arrangement
from evenrank.kernels.cpu.bit_slices import (
    ONES,
    UNIT,
    UNITS,
    WORD_TABLE,
    add_word,
    fill_table,
    one_word,
    table_positions,
)
from evenrank.kernels.cpu.mask_tree import OCTET, add_8, add_64, add_all, flush
from evenrank.kernels.cpu.short_lists import move_pairs
from evenrank.kernels.cpu.vector import (
    ITEMS,
    WORDS,
    any_bit,
    empty,
    filled,
    helper,
    inlined,
    inner,
    load,
    store,
    vectors,
)
from evenrank.kernels.lists import Lists


# All that `count_slice` calls is compiled into it, but its cache notices changes of this file only: touch it (or remove
# the cache) after a change of `vector`, `bit_slices`, `mask_tree` or `short_lists`.
@njit(cache=True, nogil=True)
def count_slice(
    codes: np.ndarray, first: int, bits: int, lists: Lists, part: Arrangement, batch: int, counts: np.ndarray
) -> None:
    """Add the items of `part` to `counts` (queries, bits + 1, levels) of a run of queries that begins at `first`.

    `codes` (queries, words of a code) uint64; `batch` queries at a time share a block's tables.
    """
    octets = bits // 8 + 1
    packed = vectors(min(batch, len(codes)) * lists.levels * octets * OCTET)
    for q in range(0, len(codes), batch):
        count_blocks(table_positions(codes[q : q + batch]), first + q, bits, lists, part, packed)
        flush(packed, octets, counts[q : q + batch])
    if part.one_by_one:
        move_pairs(codes, first, lists, part, counts)


@helper
def count_blocks(positions: np.ndarray, first: int, bits: int, lists: Lists, part: Arrangement, packed: Any) -> None:
    """Add the items of `part` to the packed histograms (level, query) of the batch that begins at query `first`.

    `positions` come from `table_positions`, for the batch alone.
    """
    table, parts, slots = vectors(WORD_TABLE), vectors(lists.levels), np.full(len(lists.starts) - 1, EMPTY)
    upper = 1
    while bits >> (6 + upper):
        upper += 1
    distances = vectors(len(positions) * (6 + upper))
    for block in range(len(part.mask_starts) - 1):
        whole = valid_items(part.items - block * ITEMS)
        for mask in range(part.mask_starts[block], part.mask_starts[block + 1]):
            slots[part.mask_lists[mask]] = mask
        if bits <= 64:
            count_word(positions, first, bits, lists, part, block, whole, slots, table, parts, packed)
        else:
            count_words(
                positions, first, bits, lists, part, block, whole, slots, table, parts, packed, distances, 6 + upper
            )
        for mask in range(part.mask_starts[block], part.mask_starts[block + 1]):
            slots[part.mask_lists[mask]] = EMPTY


@inner
def count_word(
    positions: Any,
    first: Any,
    bits: Any,
    lists: Any,
    part: Any,
    block: Any,
    whole: Any,
    slots: Any,
    table: Any,
    parts: Any,
    packed: Any,
) -> None:
    """Count one block of codes that fit in a word: the distance stays in registers."""
    units, histogram = -(-bits // UNIT), (bits // 8 + 1) * OCTET
    fill_table(part.planes, block * 64, units, table)
    for q in range(len(positions)):
        p0, p1, p2, p3, p4, p5, p6 = one_word(table, positions, q, units)
        reached = split_by_level(whole, first + q, lists, slots, part.masks, parts)
        for level in range(reached + 1):
            mask = take(parts, level) if reached else whole
            if any_bit(mask):
                at = (level * len(positions) + q) * histogram
                add_8(mask & p6, p2, p1, p0, packed, at + 8 * OCTET)
                add_64(mask & (mask ^ p6), p5, p4, p3, p2, p1, p0, packed, at)


@inner
def count_words(
    positions: Any,
    first: Any,
    bits: Any,
    lists: Any,
    part: Any,
    block: Any,
    whole: Any,
    slots: Any,
    table: Any,
    parts: Any,
    packed: Any,
    distances: Any,
    height: Any,
) -> None:
    """Count one block of longer codes: each query's distance runs up, word by word, in `height` planes."""
    words, histogram = len(part.words), (bits // 8 + 1) * OCTET
    distances[:] = 0
    for word in range(words):
        units = min(UNITS, -(-bits // UNIT) - word * UNITS)
        fill_table(part.planes, (block * words + word) * 64, units, table)
        for q in range(len(positions)):
            add_word(table, positions, q, word, units, distances, q * height, height)
    for q in range(len(positions)):
        reached = split_by_level(whole, first + q, lists, slots, part.masks, parts)
        for level in range(reached + 1):
            mask = take(parts, level) if reached else whole
            if any_bit(mask):
                at = (level * len(positions) + q) * histogram
                add_all(mask, distances, q * height, height - 6, bits // 64 + 1, packed, at)


@inlined
def split_by_level(whole: Any, query: Any, lists: Any, slots: Any, masks: Any, parts: Any) -> Any:
    """Return the highest level that items of `whole` may have for a query, and unless it is 0 write each level's part.

    The parts of levels above 0 must be empty before.
    """
    start, end = lists.member_starts[query], lists.member_starts[query + 1]
    reached, top = 0, lists.levels - 1
    if top == 1:
        relevant = empty()
        for m in range(start, end):
            if lists.weights[m]:
                relevant = relevant | load(masks, slots[lists.members[m]])
        if any_bit(relevant):
            store(parts, 0, whole ^ relevant)
            store(parts, 1, relevant)
            reached = 1
    else:
        for m in range(start, end):
            slot, weight = slots[lists.members[m]], lists.weights[m]
            if slot != EMPTY:
                if reached == 0:
                    store(parts, 0, whole)
                mask = load(masks, slot)
                for level in range(min(reached, top - 1), -1, -1):  # downwards: no item moves twice
                    here, target = load(parts, level), min(top, level + weight)
                    store(parts, level, here & (here ^ mask))
                    store(parts, target, load(parts, target) | (here & mask))
                reached = min(top, reached + weight)
    return reached


@inlined
def take(parts: Any, level: Any) -> Any:
    """Return the part of a level and leave it empty."""
    part = load(parts, level)
    store(parts, level, empty())
    return part


@helper
def valid_items(items: int) -> Any:
    """Return the mask of the first `items` items of a block."""
    if items >= ITEMS:
        return filled(ONES)
    words = vectors(1)
    for i in range(items):
        words[i % WORDS] |= np.uint64(1) << np.uint64(i // WORDS)
    return load(words, 0)
