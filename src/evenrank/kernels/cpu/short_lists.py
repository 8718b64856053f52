"""Relevant pairs one by one: all items were counted as irrelevant, then each relevant pair moves to its level."""

from __future__ import annotations

import numpy as np

from evenrank.kernels.cpu.arrangement import Arrangement
from evenrank.kernels.cpu.vector import helper, popcount_word
from evenrank.kernels.lists import Lists


@helper
def move_pairs(codes: np.ndarray, first: int, lists: Lists, part: Arrangement, counts: np.ndarray) -> None:
    """Move the relevant pairs of `part` in `counts` (queries, bits + 1, levels) from level 0 to their level.

    `codes` (queries, words) and `counts` belong to queries `first`, `first` + 1, …
    """
    top = lists.levels - 1
    level = np.zeros(part.items, np.int32)  # of the rows of the current query, zero again after it
    for q in range(len(codes)):
        held = range(lists.member_starts[first + q], lists.member_starts[first + q + 1])
        for m in held:
            for r in range(part.cuts[lists.members[m], 0], part.cuts[lists.members[m], 1]):
                level[lists.rows[r] - part.first] += lists.weights[m]
        for m in held:
            for r in range(part.cuts[lists.members[m], 0], part.cuts[lists.members[m], 1]):
                row = lists.rows[r] - part.first
                if level[row]:
                    distance = 0
                    for word in range(len(part.words)):
                        distance += popcount_word(codes[q, word] ^ part.words[word, part.places[row]])
                    counts[q, distance, 0] -= 1
                    counts[q, distance, min(level[row], top)] += 1
                    level[row] = 0
