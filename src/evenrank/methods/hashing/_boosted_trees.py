"""Boosted decision trees as plain arrays: AdaBoost on features quantised to 256 levels.

A tree is complete: node k has the children 2k + 1 and 2k + 2, an item goes right where its feature is above the node's
threshold, and each leaf votes ±weight. A node that is not split has the threshold infinity, so all its items go left.
scikit-learn's trees sort every feature at every node; counting levels instead is tens of times faster, and its
splits are the same (weighted Gini impurity).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit

from evenrank.arrays import row_blocks
from evenrank.codes import Codes

LEVELS = 256
TRIM = 0.99  # share of the weight that a tree is grown on: the lightest items are left out
SMALLEST_ERROR = 1e-9  # keeps the vote of a tree without errors finite


class Trees(NamedTuple):
    """The trees of one bit: nodes (trees, 2^depth - 1), leaves (trees, 2^depth)."""

    features: np.ndarray  # int32
    thresholds: np.ndarray  # float32
    votes: np.ndarray  # float32


@dataclass(frozen=True)
class Quantised:
    """Features as levels 0 … 255, (dimensions, items) uint8; `edges` (dimensions, 255) lie between them.

    Edges are midway between distinct values of a feature, evenly many values apart, so that a value lies on an edge,
    where rounding would decide, only by chance. Those that are not needed are infinity.
    """

    levels: np.ndarray
    edges: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray) -> Quantised:
        """Return features (items, dimensions) as levels."""
        levels = np.empty(x.shape[::-1], np.uint8)
        edges = np.full((x.shape[1], LEVELS - 1), np.inf, np.float32)
        for feature, column in enumerate(x.T.astype(np.float32)):
            values = np.unique(column)
            middles = values[:-1] / 2 + values[1:] / 2
            if len(middles) > LEVELS - 1:
                middles = middles[np.linspace(0, len(middles) - 1, LEVELS - 1).round().astype(int)]
            edges[feature, : len(middles)] = middles
            levels[feature] = np.searchsorted(edges[feature], column)  # how many edges are below
        return cls(levels, edges)


def boost(x: Quantised, z: np.ndarray, trees: int, depth: int, features: int, rng: np.random.Generator) -> Trees:
    """Return trees whose summed votes have the signs `z` (items,), by discrete AdaBoost.

    Each split looks at `features` random features. A tree without errors, or no better than chance, is the last.
    """
    nodes, leaves = 2**depth - 1, 2**depth
    found = Trees(
        np.zeros((trees, nodes), np.int32),
        np.full((trees, nodes), np.inf, np.float32),
        np.zeros((trees, leaves), np.float32),
    )
    weights = np.full(len(z), 1 / len(z))
    order = np.arange(len(x.levels))
    for tree in range(trees):
        kept = _heaviest(weights)
        split, cut, signs = _grow(x.levels, kept, weights, z, depth, min(features, len(order)), order, rng)
        says = signs[_leaf_of_levels(x.levels, split, cut)]
        error = weights[says != z].sum()
        if error >= 0.5:
            break
        vote = 0.5 * np.log((1 - error) / max(error, SMALLEST_ERROR))
        is_split = cut < LEVELS
        found.features[tree] = split
        found.thresholds[tree, is_split] = x.edges[split[is_split], cut[is_split]]
        found.votes[tree] = vote * signs
        if error < SMALLEST_ERROR:
            break
        weights *= np.exp(-vote * says * z)
        weights /= weights.sum()
    return found


def votes(x: np.ndarray, trees: Trees) -> np.ndarray:
    """Return the summed votes of one bit's trees on features (items, dimensions), (items,) float32."""
    return _sum_votes(x.astype(np.float32, order="C"), *(part[None] for part in trees))[:, 0]


def tree_codes(x: np.ndarray, trees: Trees) -> Codes:
    """Return codes whose bits are where the summed votes are above 0; the arrays have a leading axis, the bits."""
    bits = len(trees.features)
    packed = np.empty((len(x), -(-bits // 8)), np.uint8)
    for first, block in row_blocks(x):
        summed = _sum_votes(block.astype(np.float32, order="C"), *trees)
        packed[first : first + len(block)] = np.packbits(summed > 0, axis=1)
    return Codes.from_packed(packed, bits=bits)


def _heaviest(weights: np.ndarray) -> np.ndarray:
    """Return the fewest items that hold the share TRIM of the weight, ascending."""
    order = np.argsort(-weights, kind="stable")
    count = np.searchsorted(np.cumsum(weights[order]), TRIM * weights.sum()) + 1
    return np.sort(order[:count])


@njit(cache=True)
def _grow(
    levels: np.ndarray,
    kept: np.ndarray,
    weights: np.ndarray,
    z: np.ndarray,
    depth: int,
    features: int,
    order: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a tree grown on the items `kept`: features and last left levels (nodes,), signs (leaves,)."""
    nodes = 2**depth - 1
    split, cut, signs = np.zeros(nodes, np.int32), np.full(nodes, LEVELS), np.ones(nodes + 1)
    place = np.zeros(len(kept), np.int64)  # the node that each item is in
    for node in range(2 * nodes + 1):
        items = kept[place == node]
        inner = weights[items] @ z[items]
        if node >= nodes:
            signs[node - nodes] = 1 if inner > 0 else -1
            continue
        if abs(inner) < weights[items].sum():  # both signs are there
            for i in range(features):  # a random choice: the first steps of a shuffle
                j = rng.integers(i, len(order))
                order[i], order[j] = order[j], order[i]
            split[node], cut[node] = _best_split(levels, items, weights, z, order[:features])
        for i, item in enumerate(kept):
            if place[i] == node:
                place[i] = 2 * node + (1 if levels[split[node], item] <= cut[node] else 2)
    return split, cut, signs


@njit(cache=True)
def _best_split(
    levels: np.ndarray, items: np.ndarray, weights: np.ndarray, z: np.ndarray, features: np.ndarray
) -> tuple[int, int]:
    """Return feature and last left level of the split with the least Gini impurity; LEVELS where none parts the items.

    With p and q the weights of the signs in a part, the impurities are least where the sum of (p² + q²) / (p + q) over
    the two parts is largest.
    """
    best, best_feature, best_cut = -1.0, 0, LEVELS
    counts = np.empty((2, LEVELS))
    side, weight = (z[items] > 0).astype(np.uint8), weights[items]
    positive = (side * weight).sum()
    negative = weight.sum() - positive
    for feature in features:
        row = levels[feature]
        counts[:] = 0
        for i in range(len(items)):
            counts[side[i], row[items[i]]] += weight[i]
        p = q = 0.0
        for level in range(LEVELS - 1):
            if counts[0, level] == 0 and counts[1, level] == 0:
                continue
            q, p = q + counts[0, level], p + counts[1, level]
            right_q, right_p = max(negative - q, 0.0), max(positive - p, 0.0)
            if right_q + right_p <= 1e-12 * (negative + positive):
                break
            score = (p * p + q * q) / (p + q) + (right_p**2 + right_q**2) / (right_p + right_q)
            if score > best:
                best, best_feature, best_cut = score, feature, level
    return best_feature, best_cut


@njit(cache=True)
def _leaf_of_levels(levels: np.ndarray, split: np.ndarray, cut: np.ndarray) -> np.ndarray:
    """Return the leaf that each item of quantised features ends in."""
    leaves = np.empty(levels.shape[1], np.int64)
    for item in range(len(leaves)):
        node = 0
        while node < len(split):
            node = 2 * node + (1 if levels[split[node], item] <= cut[node] else 2)
        leaves[item] = node - len(split)
    return leaves


@njit(cache=True, nogil=True)
def _sum_votes(x: np.ndarray, features: np.ndarray, thresholds: np.ndarray, votes: np.ndarray) -> np.ndarray:
    """Return the votes on features (items, dimensions), summed over the trees of each bit: (items, bits) float32."""
    bits, trees, nodes = features.shape
    summed = np.zeros((len(x), bits), np.float32)
    for item in range(len(x)):
        for bit in range(bits):
            for tree in range(trees):
                node = 0
                while node < nodes:
                    above = x[item, features[bit, tree, node]] > thresholds[bit, tree, node]
                    node = 2 * node + (2 if above else 1)
                summed[item, bit] += votes[bit, tree, node - nodes]
    return summed
