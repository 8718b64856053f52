"""FastHash: each bit in two steps, the best signs of the training items, then boosted trees that predict them.

Lin, Shen, Shi, van den Hengel and Suter, "Fast supervised hashing with decision trees for high-dimensional data", CVPR
2014. What differs from the authors' code: all pairs of the training sample count instead of a drawn list; features are
quantised at quantiles of their distinct values; every bit starts from z = 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from evenrank.codes import Codes
from evenrank.method import Method
from evenrank.methods.hashing._block_step import infer_signs, sample_rows, similar_blocks, similar_pairs
from evenrank.methods.hashing._boosted_trees import Quantised, Trees, boost, tree_codes, votes
from evenrank.methods.hashing._checks import check_varied
from evenrank.parameters import Choice, Integer


@dataclass(eq=False, repr=False, kw_only=True)
class FastHash(Method):
    """Bits by graph cuts on class blocks, hash functions by boosted decision trees.

    A pair is similar where its relevance reaches the rule's threshold. `loss` is of the Hamming distance d: "hinge", d²
    for similar pairs and max(0, bits / 2 - d)² for others, or "ksh", (inner product ∓ r)² after r bits, which gives the
    same bits as BRE's loss. Learns from at most `sample` items, drawn at random: memory grows with its square.
    """

    title = "FastHash"
    paper = "Lin et al., CVPR 2014"
    supervision = "relevance"
    cost = "minutes on 5,000 items: a boosted ensemble of trees for each bit"

    bits: Annotated[int, Integer(1, 4096)] = 32
    loss: Annotated[str, Choice("hinge", "ksh", search=("hinge", "ksh"))] = "hinge"
    sweeps: Annotated[int, Integer(1, 100)] = 2
    trees: Annotated[int, Integer(1, 10_000, search=(50, 400), log=True)] = 200
    depth: Annotated[int, Integer(1, 12, search=(2, 6))] = 4
    features: Annotated[int, Integer(1)] = 200
    sample: Annotated[int, Integer(2)] = 5000
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Any) -> None:
        """For each bit: infer signs from the pairs, fit trees to them, and go on with what the trees say."""
        rng = np.random.default_rng(self.seed)
        rows = sample_rows(len(x), self.sample, rng)
        similar = similar_pairs(y, rows, "FastHash")  # (n, n)
        blocks = similar_blocks(similar, rng)
        x = x[rows]
        check_varied(self, x)
        quantised = Quantised.of(x)
        distances = np.zeros(similar.shape, np.int16)  # of the bits so far
        learned = []
        for bit in range(self.bits):
            margin = self.bits / 2 if self.loss == "hinge" else bit + 1
            z = infer_signs(_pair_costs(distances, similar, margin), blocks, self.sweeps)  # step 1
            learned.append(boost(quantised, z, self.trees, self.depth, self.features, rng))  # step 2
            says = votes(x, learned[-1]) > 0
            distances += says[:, None] != says
        self.features_, self.thresholds_, self.votes_ = (np.stack(part) for part in zip(*learned, strict=True))

    def read(self, x: np.ndarray) -> Codes:
        """Return bits: where the votes of the trees sum to more than 0."""
        return tree_codes(x, Trees(self.features_, self.thresholds_, self.votes_))


def _pair_costs(distances: np.ndarray, similar: np.ndarray, margin: float) -> np.ndarray:
    """Return a_ij = l(d) - l(d + 1), what it costs more if the next bit of a pair is equal, (n, n) float32.

    l(d) = d² for similar pairs, max(0, margin - d)² for others. KSH, in terms of d, is four times that at margin r.
    """
    d = np.arange(distances.max() + 2, dtype=np.float32)
    together, apart = -np.diff(d**2), -np.diff(np.maximum(margin - d, 0) ** 2)
    return np.where(similar, together[distances], apart[distances])
