"""Importing this loads the compiled Hamming kernels: processes that are forked later have them at once.

Loading takes more than half a second, most of a small job. One code is counted here by the same calls as in `hamming`,
but on this thread alone: numba's own threads must not be started before a fork, which they do not outlive.
"""

import numpy as np

from evenrank.kernels.cpu.arrangement import arrange
from evenrank.kernels.cpu.blocks import count_slice
from evenrank.kernels.cpu.words import to_words
from evenrank.kernels.lists import Lists

code, one = np.zeros((1, 1), np.uint8), np.ones(1, np.int64)
lists = Lists(rows=one - 1, starts=np.arange(2), members=one - 1, member_starts=np.arange(2), weights=one, levels=2)
part = arrange(code, 0, 1, lists, 2 * one)
count_slice(to_words(code), 0, 8, lists, part, 8, np.zeros((1, 9, 2), np.int64))
