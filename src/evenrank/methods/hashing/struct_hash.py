"""StructHash: each bit repairs the rankings that violate nDCG most, as in a structured support vector machine.

Lin, Shen and Wu, "Optimizing ranking measures for compact binary code learning", ECCV 2014. This is its stage-wise
form: all bits weigh the same, as plain Hamming distance needs, so that the triplets of the most violated rankings stand
for the dual weights. What also differs from the print: gains are 0 or 1 (an item is relevant from the rule's threshold
on), and once no ranking is violated, all triplets count again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numba import njit

from evenrank.codes import Codes
from evenrank.method import Method
from evenrank.methods.hashing._block_step import infer_signs, sample_rows, similar_blocks, similar_pairs
from evenrank.methods.hashing._boosted_trees import Quantised, Trees, boost, tree_codes, votes
from evenrank.methods.hashing._checks import check_varied
from evenrank.parameters import Integer, Real

NOBODY = -1  # fills up the lists of items that have fewer relevant or irrelevant ones than asked for


@dataclass(eq=False, repr=False, kw_only=True)
class StructHash(Method):
    """Bits by graph cuts on the triplets of the most violated rankings, hash functions by boosted decision trees.

    Every item is a query, with `relevant` and `irrelevant` items drawn at random. `weight` is what the distance of two
    items with all bits different counts against the nDCG loss; it takes the place of the paper's C, and its default is
    ours. Learns from at most `sample` items, drawn at random: memory grows with its square.
    """

    title = "StructHash"
    paper = "Lin, Shen and Wu, ECCV 2014"
    supervision = "relevance"
    cost = "minutes on 5,000 items: a boosted ensemble of trees for each bit"

    bits: Annotated[int, Integer(1, 4096)] = 32
    relevant: Annotated[int, Integer(1)] = 50
    irrelevant: Annotated[int, Integer(1)] = 50
    weight: Annotated[float, Real(0, search=(1, 100), log=True)] = 4.0
    sweeps: Annotated[int, Integer(1, 100)] = 2
    trees: Annotated[int, Integer(1, 10_000, search=(50, 400), log=True)] = 200
    depth: Annotated[int, Integer(1, 12, search=(2, 6))] = 4
    features: Annotated[int, Integer(1)] = 200
    sample: Annotated[int, Integer(2)] = 5000
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        """For each bit: weigh triplets by the most violated rankings, infer signs from them, fit trees to the signs."""
        rng = np.random.default_rng(self.seed)
        rows = sample_rows(len(x), self.sample, rng)
        similar = similar_pairs(y, rows, "StructHash")  # (n, n)
        blocks = similar_blocks(similar, rng)
        near, far = _draw(similar, self.relevant, self.irrelevant, rng)  # (n, relevant), (n, irrelevant)
        x = x[rows]
        check_varied(self, x)
        quantised = Quantised.of(x)
        says = np.empty((len(x), 0), bool)  # the bits so far
        learned = []
        for _ in range(self.bits):
            pairs = _pair_costs(near, _distances(says, near), far, _distances(says, far), self.weight / self.bits)
            if not pairs.any():
                pairs = _pair_costs(near, np.zeros(near.shape, int), far, np.zeros(far.shape, int), 0.0)
            z = infer_signs(pairs + pairs.T, blocks, self.sweeps)
            learned.append(boost(quantised, z, self.trees, self.depth, self.features, rng))
            says = np.column_stack([says, votes(x, learned[-1]) > 0])
        self.features_, self.thresholds_, self.votes_ = (np.stack(part) for part in zip(*learned, strict=True))

    def read(self, x: np.ndarray) -> Codes:
        """Return bits: where the votes of the trees sum to more than 0."""
        return tree_codes(x, Trees(self.features_, self.thresholds_, self.votes_))


def _draw(similar: np.ndarray, relevant: int, irrelevant: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return for every item random relevant and irrelevant items, filled up with NOBODY."""
    near = np.full((len(similar), relevant), NOBODY)
    far = np.full((len(similar), irrelevant), NOBODY)
    for item, row in enumerate(similar):
        for lists, others in (near, np.setdiff1d(np.flatnonzero(row), item)), (far, np.flatnonzero(~row)):
            drawn = rng.permutation(others)[: lists.shape[1]]
            lists[item, : len(drawn)] = drawn
    return near, far


def _distances(says: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the Hamming distance of every item to those of its list."""
    return np.count_nonzero(says[:, None] != says[others], axis=2)


@njit(cache=True)
def _pair_costs(
    near: np.ndarray, near_distances: np.ndarray, far: np.ndarray, far_distances: np.ndarray, weight: float
) -> np.ndarray:
    """Return a_ij, (n, n) float32: what z_i z_j costs in the triplets of the most violated rankings.

    A triplet (i, j, l) that its ranking puts in the wrong order, irrelevant l above relevant j, asks for |h_i - h_l| -
    |h_i - h_j| to grow: it costs z_i z_l - z_i z_j, over the number of pairs (j, l) of the query.
    """
    items = len(near)
    costs = np.zeros((items, items), np.float32)
    for i in range(items):
        above = np.argsort(near_distances[i, : (near[i] != NOBODY).sum()], kind="mergesort")
        below = np.argsort(far_distances[i, : (far[i] != NOBODY).sum()], kind="mergesort")
        places = most_violated(-weight * near_distances[i][above], -weight * far_distances[i][below])
        share = 1 / max(1, len(above) * len(below))
        for irrelevant, place in zip(below, places):  # noqa: B905 numba knows no strict
            costs[i, far[i, irrelevant]] += share * (len(above) - place)
            for relevant in above[place:]:
                costs[i, near[i, relevant]] -= share
    return costs


@njit(cache=True)
def most_violated(relevant: np.ndarray, irrelevant: np.ndarray) -> np.ndarray:
    """Return how many relevant items are above each irrelevant one in the ranking that violates most.

    Scores are descending. That ranking maximises Σ ±(s_j - s_l) / (|P||N|) + 1 - nDCG, with + where j is above l. It
    merges the two sorted lists, and as the discount is convex each irrelevant item can choose its place on its own
    (Chakrabarti et al., KDD 2008): the l-th, moved above the k-th relevant one, pushes that from rank k + l - 1 to
    k + l. Where it makes no difference it stays below.
    """
    pairs = len(relevant) * len(irrelevant)
    discounts = 1 / np.log2(np.arange(2, len(relevant) + len(irrelevant) + 2))  # of ranks 1, 2, …
    ideal = discounts[: len(relevant)].sum()
    places = np.full(len(irrelevant), len(relevant))
    for place in range(len(irrelevant)):
        gain = best = 0.0
        for k in range(len(relevant) - 1, -1, -1):  # move it above the relevant item k too
            gain -= 2 * (relevant[k] - irrelevant[place]) / pairs
            gain += (discounts[k + place] - discounts[k + place + 1]) / ideal
            if gain > best:
                best, places[place] = gain, k
    return places
