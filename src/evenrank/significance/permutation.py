"""Could chance have ordered two methods? The permutation test of paired differences.

If neither method is better, each query's difference is as likely to have the other sign. p is the share of sign
patterns whose mean is at least as far from zero as the one that was found; no shape of the differences is assumed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

BATCH = 1 << 18  # signs held at a time: they stay in the processor's cache
ROUNDING = 1e-12  # of the sum of sizes: two patterns whose sums differ by less are equal


def permutation_test(differences: np.ndarray, permutations: int, seed: int) -> float:
    """Return the two-sided p: exact if there are no more sign patterns than `permutations`, else from random ones.

    Random patterns give (1 + those as extreme) / (1 + permutations), which is never 0 and is valid at any number.

    >>> permutation_test(np.array([0.1, 0.2, 0.3, 0.4]), 10_000, seed=0)  # 2 of 16 patterns are as extreme
    0.125
    """
    moving = differences[differences != 0]  # the sign of 0 changes nothing
    exact = 2 ** len(moving) <= permutations
    patterns = _all(len(moving)) if exact else _random(len(moving), permutations, seed)
    least = abs(moving.sum()) - ROUNDING * np.abs(moving).sum()
    extreme = sum(int((np.abs(2 * (flips @ moving) - moving.sum()) >= least).sum()) for flips in patterns)
    return extreme / 2 ** len(moving) if exact else (1 + extreme) / (1 + permutations)


def _all(count: int) -> Iterator[np.ndarray]:
    """Yield every pattern of `count` signs, 1 and 0 for + and -, block by block."""
    step = max(1, BATCH // max(count, 1))
    for first in range(0, 2**count, step):
        numbers = np.arange(first, min(first + step, 2**count))
        yield (numbers[:, None] >> np.arange(count) & 1).astype(np.float64)


def _random(count: int, permutations: int, seed: int) -> Iterator[np.ndarray]:
    """Yield random patterns, block by block; a pattern is whole words, so blocks do not change it."""
    random, words = np.random.default_rng(seed), -(-count // 64)
    step = max(1, BATCH // count)
    for first in range(0, permutations, step):
        size = min(step, permutations - first)
        drawn = random.integers(0, 2**64, (size, words), np.uint64).view(np.uint8)
        yield np.unpackbits(drawn, axis=1, count=count).astype(np.float64)
