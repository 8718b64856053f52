"""A slice of the database, arranged for counting: rows sorted by the lists they are in, and cut into blocks.

Sorted rows make blocks uniform: of a class, all blocks but the two at its ends lie inside or outside, and of labels
that overlap, most blocks miss most lists. What is in a block is kept sparsely, as a mask for each list that has a row
there, so ten thousand classes cost no more than ten.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from evenrank.kernels.cpu.bit_slices import transpose
from evenrank.kernels.cpu.vector import ITEMS, WORDS, vectors
from evenrank.kernels.cpu.words import to_words
from evenrank.kernels.lists import Lists

DIGIT = 12  # bits sorted at a time
DIGITS = (1 << DIGIT) - 1
KEY = 24  # bits of a sorting key
EMPTY = 0  # the number of a mask without items, for lists that have no row in a block
# What relevance costs, in nanoseconds on one processor; only the ratios matter.
PAIR = 12  # moving a relevant pair to its level
MASK = 3  # splitting a block by one mask, for one query
TREE = 25  # sending one more part of a block down the mask tree


class Arrangement(NamedTuple):
    """One slice of the database; a row's *place* is where it stands after sorting."""

    first: int  # row of the database at which the slice begins
    items: int
    places: np.ndarray  # (items,) int32
    words: np.ndarray  # (words of a code, items filled up to whole blocks) uint64, by place
    planes: np.ndarray  # bit planes of the blocks, as `transpose` writes them
    cuts: np.ndarray  # (lists, 2) where the slice's rows begin and end in Lists.rows
    mask_starts: np.ndarray  # (blocks + 1,) where each block's masks begin
    mask_lists: np.ndarray  # the list of each mask
    masks: np.ndarray  # vectors: which items of the block are in the list
    one_by_one: bool  # there are no masks: the relevant pairs are so few that moving each is less work


def arrange(database: np.ndarray, first: int, last: int, lists: Lists, holders: np.ndarray) -> Arrangement:
    """Return rows first … last - 1 of the packed `database`, arranged; `holders`: how many queries hold each list."""
    items, cuts = last - first, slice_lists(lists.rows, lists.starts, first, last)
    shared = holders.max(initial=0) > 1  # else sorting cannot pay
    places = sort_places(sorting_keys(lists.rows, cuts, first, items) if shared else np.zeros(items, np.int32))
    words = place_words(to_words(database[first:last]), places)
    starts, partial = count_masks(lists.rows, cuts, first, places, holders)
    pairs = holders @ (cuts[:, 1] - cuts[:, 0])
    trees = min(partial, lists.queries * (len(starts) - 1) * (lists.levels - 1))
    one_by_one = bool(PAIR * pairs < MASK * partial + TREE * trees)
    if one_by_one:
        starts[:] = EMPTY + 1
    mask_lists, masks = fill_masks(lists.rows, cuts[:0] if one_by_one else cuts, first, places, starts)
    return Arrangement(first, items, places, words, to_planes(words), cuts, starts, mask_lists, masks, one_by_one)


@njit(cache=True, nogil=True)
def slice_lists(rows: np.ndarray, starts: np.ndarray, first: int, last: int) -> np.ndarray:
    """Return (lists, 2): where rows first … last - 1 begin and end in each list."""
    cuts = np.empty((len(starts) - 1, 2), np.int64)
    for i in range(len(cuts)):
        cuts[i, 0] = first_at_least(rows, first, starts[i], starts[i + 1])
        cuts[i, 1] = first_at_least(rows, last, cuts[i, 0], starts[i + 1])
    return cuts


@njit(cache=True, nogil=True)
def first_at_least(rows: np.ndarray, row: int, low: int, high: int) -> int:
    """Return the first position from `low` on whose row is at least `row`, by bisection; `high` if there is none."""
    while low < high:
        middle = (low + high) >> 1
        if rows[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def sorting_keys(rows: np.ndarray, cuts: np.ndarray, first: int, items: int) -> np.ndarray:
    """Return for each row the numbers of the first lists it is in, most significant first (as many as fit)."""
    width = 1
    while len(cuts) >> width:
        width += 1
    keys, room = np.zeros(items, np.int32), np.full(items, width * max(1, KEY // width), np.int8)
    for i in range(len(cuts)):
        for r in range(cuts[i, 0], cuts[i, 1]):
            row = rows[r] - first
            if room[row]:
                room[row] -= width
                keys[row] |= (i + 1) << room[row]
    return keys


@njit(cache=True, nogil=True)
def sort_places(keys: np.ndarray) -> np.ndarray:
    """Return each row's place in the order of `keys` (stable), int32, by radix sort."""
    order, places = np.arange(len(keys), dtype=np.int32), np.arange(len(keys), dtype=np.int32)
    used = 0  # bits that are set in any key
    for row in range(len(keys)):
        used |= keys[row]
    for shift in range(0, 32, DIGIT):
        if used >> shift & DIGITS == 0:
            continue
        nexts = np.zeros(DIGITS + 2, np.int32)
        for row in range(len(keys)):
            nexts[(keys[row] >> shift & DIGITS) + 1] += 1
        for digit in range(DIGITS + 1):
            nexts[digit + 1] += nexts[digit]
        for i in range(len(order)):
            row = order[i]
            digit = keys[row] >> shift & DIGITS
            places[row] = nexts[digit]
            nexts[digit] += 1
        for row in range(len(keys)):
            order[places[row]] = row
    return places


@njit(cache=True, nogil=True)
def place_words(codes: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the words of `codes` (n, words) as (words, n up to whole blocks), each row at its place."""
    words = np.zeros((codes.shape[1], -(-len(codes) // ITEMS) * ITEMS), np.uint64)
    for row in range(len(codes)):
        for word in range(codes.shape[1]):
            words[word, places[row]] = codes[row, word]
    return words


@njit(cache=True, nogil=True)
def to_planes(words: np.ndarray) -> np.ndarray:
    """Return the bit planes of all blocks."""
    blocks = words.shape[1] // ITEMS
    planes = vectors(blocks * len(words) * 64)
    for block in range(blocks):
        transpose(words, block, planes)
    return planes


@njit(cache=True, nogil=True)
def count_masks(
    rows: np.ndarray, cuts: np.ndarray, first: int, places: np.ndarray, holders: np.ndarray
) -> tuple[np.ndarray, int]:
    """Return where each block's masks begin, and how many (query, block, list) are neither empty nor full."""
    blocks = -(-len(places) // ITEMS)
    starts, seen, latest = np.zeros(blocks + 1, np.int64), np.zeros(blocks, np.int64), np.full(blocks, -1)
    partial = 0
    for i in range(len(cuts)):
        for r in range(cuts[i, 0], cuts[i, 1]):
            block = places[rows[r] - first] >> 9
            if latest[block] != i:
                latest[block], seen[block] = i, 0
                starts[block + 1] += 1
                partial += holders[i]
            seen[block] += 1
            if seen[block] == ITEMS:
                partial -= holders[i]
    starts[0] = EMPTY + 1
    for block in range(blocks):
        starts[block + 1] += starts[block]
    return starts, partial


@njit(cache=True, nogil=True)
def fill_masks(
    rows: np.ndarray, cuts: np.ndarray, first: int, places: np.ndarray, starts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (list of each mask, masks), block after block."""
    mask_lists, masks = np.full(starts[-1], -1), vectors(starts[-1])
    ends = starts[:-1] - 1  # the latest mask of each block
    for i in range(len(cuts)):
        block = -1
        for r in range(cuts[i, 0], cuts[i, 1]):
            place = places[rows[r] - first]
            if place >> 9 != block:
                block = place >> 9
                if ends[block] < starts[block] or mask_lists[ends[block]] != i:
                    ends[block] += 1
                    mask_lists[ends[block]] = i
                at = ends[block] * WORDS
            masks[at + (place & 7)] |= np.uint64(1) << np.uint64((place & 511) >> 3)
    return mask_lists, masks
