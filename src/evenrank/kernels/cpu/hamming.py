"""Hamming kernels on the processor: how the work is cut up.

The database is taken in slices, each sorted and turned into bit planes once (`arrangement`), and counted against runs
of queries (`blocks`). Relevance is split by masks, or, where lists are so short that moving their pairs one by one is
less work, by `short_lists`. Threads first arrange some slices, one each, then count them, a run of queries each: no
two threads ever write to the same counts, and the number of threads changes nothing.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from evenrank.kernels.cpu.arrangement import Arrangement, arrange
from evenrank.kernels.cpu.blocks import count_slice
from evenrank.kernels.cpu.mask_tree import OCTET
from evenrank.kernels.cpu.threads import thread_count
from evenrank.kernels.cpu.vector import ITEMS
from evenrank.kernels.cpu.words import to_words
from evenrank.kernels.lists import Lists

SLICE = 120 * ITEMS  # rows: the histograms hold fewer than 65,536
SLICE_BYTES = 8 << 20  # of codes
SMALLEST_SLICE = 32 * ITEMS  # rows: below that, emptying the histograms costs too much
BATCH = 256  # queries that share a block's tables: enough that building them is cheap, few enough for the cache
BATCH_BYTES = 16 << 20  # of histograms
SMALLEST_RUN = 32  # queries
RUNS = 3  # for each thread, where there are enough queries: some runs take longer than others


def hamming_counts(queries: np.ndarray, database: np.ndarray, bits: int, lists: Lists) -> np.ndarray:
    """Return (queries, bits + 1, levels) int64: items of each level at each Hamming distance."""
    counts = np.zeros((len(queries), bits + 1, lists.levels), np.int64)
    rows, starts, members, member_starts, weights = map(plain, lists[:5])
    lists = Lists(rows, starts, members, member_starts, weights, lists.levels)
    holders = np.bincount(members, minlength=len(starts) - 1)
    codes, threads = to_words(queries), thread_count()
    slices = slice_rows(len(database), database.shape[1], threads)
    runs = min(RUNS, max(1, len(queries) // (BATCH * threads))) * threads
    run = max(SMALLEST_RUN, -(-len(queries) // runs))
    batch = max(8, min(BATCH, BATCH_BYTES // (64 * OCTET * (bits // 8 + 1) * lists.levels)))
    with ThreadPoolExecutor(threads) as pool:
        for wave in range(0, len(slices), 2 * threads):
            parts = list(
                pool.map(lambda s: arrange(database, s[0], s[1], lists, holders), slices[wave : wave + 2 * threads])
            )

            def count(first: int, parts: list[Arrangement] = parts) -> None:
                mine = slice(first, first + run)
                for part in parts:
                    count_slice(codes[mine], first, bits, lists, part, batch, counts[mine])

            list(pool.map(count, range(0, len(queries), run)))
    return counts


def slice_rows(rows: int, width: int, threads: int) -> list[tuple[int, int]]:
    """Return (first, last) of slices that cover all rows: enough for the threads, and small enough for memory."""
    size = min(SLICE, SLICE_BYTES // width, max(SMALLEST_SLICE, -(-rows // threads)))
    size = max(1, -(-size // ITEMS)) * ITEMS
    return [(first, min(rows, first + size)) for first in range(0, rows, size)]


def plain(array: np.ndarray) -> np.ndarray:
    """Return the array as the one kind for which the kernels are compiled; a copy only if it is another."""
    return np.require(array, np.int64, ["C", "A", "W"])
