"""Infer the signs of one bit, min Σ a_ij z_i z_j, by exact minimisation over one block of items at a time.

Items of a block are mutually similar, so that a_ij ≤ 0 inside it: the block's problem is submodular and a minimum cut
solves it (Lin et al., CVPR 2014, section 3.1).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from evenrank.arrays import row_blocks
from evenrank.relevance import Relevance

LARGEST_BLOCK = 500  # items: a cut has an edge for every pair of the block
LARGEST_FLOW = 2**30  # SciPy's flows are int32


def sample_rows(items: int, sample: int, rng: np.random.Generator) -> np.ndarray:
    """Return which rows to learn from: all, or `sample` of them at random, ascending."""
    return np.arange(items) if items <= sample else np.sort(rng.choice(items, sample, replace=False))


def similar_pairs(y: Relevance, rows: np.ndarray, name: str) -> np.ndarray:
    """Return which pairs of `rows` are relevant in either direction, or an item and itself: (rows, rows) bool."""
    similar = np.eye(len(rows), dtype=bool)
    for first, block in row_blocks(similar):
        levels = y.block(rows[first : first + len(block)], rows)
        block |= y.levels[levels] >= y.threshold
    similar |= similar.T
    if similar.all():
        raise ValueError(f"relevance of {name} must have irrelevant pairs to learn from; all are relevant")
    return similar


def similar_blocks(similar: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """Return blocks of mutually similar items, which hold every item once: classes, where relevance is by class.

    An item that is in no block yet opens one, in random order; others join while they are similar to all its members.
    Large blocks are cut into pieces that follow each other.
    """
    free = np.ones(len(similar), bool)
    blocks = []
    for seed in rng.permutation(len(similar)):
        if not free[seed]:
            continue
        members, candidates = [], similar[seed] & free
        item = seed
        while candidates.any():
            members.append(item)
            candidates &= similar[item]
            candidates[item] = False
            item = candidates.argmax()
        free[members] = False
        blocks += np.array_split(np.array(members), -(-len(members) // LARGEST_BLOCK))
    return blocks


def infer_signs(pairs: np.ndarray, blocks: list[np.ndarray], sweeps: int) -> np.ndarray:
    """Return z (items,) of ±1 that makes Σ a_ij z_i z_j small, starting from all 1; `pairs` a is symmetric."""
    z = np.ones(len(pairs), pairs.dtype)
    for _ in range(sweeps):
        for block in blocks:
            rows = pairs[block]  # (block, items)
            inside = rows[:, block]
            unary = 2 * (rows @ z - inside @ z[block])  # from the items outside
            np.fill_diagonal(inside, 0)  # z_i² is constant
            z[block] = cut_block(inside, unary)
    return z.astype(np.float64)


def cut_block(inside: np.ndarray, unary: np.ndarray) -> np.ndarray:
    """Return z of ±1 that minimises u·z + zᵀ A z, where A = `inside` is symmetric, ≤ 0 and zero on its diagonal.

    As a cut: +1 is the side of the source. Halved costs are the capacities: |u_i| to the side that u_i asks for, and
    -2 a_ij between i and j. They are scaled by a power of two and rounded to whole numbers, exact for whole ones.
    """
    items = len(unary)
    capacities = np.zeros((items + 2, items + 2))
    source, sink = items, items + 1
    capacities[:items, :items] = -2 * inside
    capacities[source, :items] = np.maximum(-unary, 0)
    capacities[:items, sink] = np.maximum(unary, 0)
    total = max(capacities[source].sum(), capacities.max())
    if total == 0:
        return np.ones(items)
    capacities *= 2.0 ** np.floor(np.log2(LARGEST_FLOW / total))
    graph = csr_array(np.rint(capacities).astype(np.int32))
    residual = graph - maximum_flow(graph, source, sink).flow
    residual.eliminate_zeros()
    reached = breadth_first_order(residual, source, return_predecessors=False)
    z = np.full(items + 2, -1.0)
    z[reached] = 1
    return z[:items]
