"""BRE: bits whose Hamming distances rebuild given distances, learned one coordinate at a time.

Kulis & Darrell, Learning to hash with binary reconstructive embeddings, NIPS 2009.

Bit p of x is 1[Σ_q W_pq K(x, anchor_pq) > 0] with the linear kernel K of centred rows of length one, so its weights on
`anchors` random items are one direction of the features, which is what is kept. The objective is

    ½ Σ_(i,j) (d_H(i, j) / bits − D_ij)²,    D = 0 for relevant pairs, 1 for others,

over pairs that each item forms with a random `share` of the items. Along one coordinate of W each item's bit flips at
one threshold, so a sweep over the sorted thresholds finds the best value exactly. Multiplied by 2 bits² the objective
is a whole number, and a step is kept only where that number falls, so it never rises. Beside the paper: an item
orthogonal to the anchor has no threshold and does not flip; thresholds closer than rounding count as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np
from numba import njit

from evenrank.codes import Codes
from evenrank.method import Method, linear_codes
from evenrank.parameters import Integer, Real
from evenrank.relevance import Relevance

BLOCK = 256  # rows of pairs that are drawn at once
NARROW = 1e-9  # thresholds, or products of unit vectors, that rounding could swap


class _Pairs(NamedTuple):
    """The pairs by item, each with both of its items: those of i are `others[starts[i]:starts[i + 1]]`."""

    starts: np.ndarray
    others: np.ndarray
    far: np.ndarray  # whether the pair is irrelevant, D = 1


@dataclass(eq=False, repr=False, kw_only=True)
class BRE(Method):
    """Hamming distances near 0 between relevant and near `bits` between other items, by exact coordinate descent.

    Of more than `sample` items that many are drawn. A cycle makes one step a bit; it ends when a cycle lowers the
    objective by less than `tolerance` of it, or after `cycles`. `objective_` has its value before each cycle and last.
    """

    title = "BRE"
    paper = "Kulis & Darrell, NIPS 2009"
    supervision = "relevance"
    cost = "minutes on 5,000 items; grows with items² × share × bits × cycles"

    bits: Annotated[int, Integer(1, 4096)] = 32
    anchors: Annotated[int, Integer(1, search=(10, 200))] = 50
    share: Annotated[float, Real(0, 1)] = 0.05
    cycles: Annotated[int, Integer(0)] = 100
    tolerance: Annotated[float, Real(0)] = 1e-6
    sample: Annotated[int, Integer(2)] = 5000
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Relevance) -> None:
        """Start from W ~ N(0, 1), then cycle over the bits, moving one random coordinate of each to its best value."""
        random = np.random.default_rng(self.seed)
        rows = np.sort(random.permutation(len(x))[: self.sample])
        self.mean_ = x.mean(axis=0, dtype=np.float64)
        points = _unit_rows(x[rows] - self.mean_)  # (items, dimensions)
        pairs = _drawn(y.take(rows, rows), self.share, random)
        anchors = [random.permutation(len(points))[: self.anchors] for _ in range(self.bits)]
        weights = [random.standard_normal(len(of_bit)) @ points[of_bit] for of_bit in anchors]
        self.weights_ = np.stack(weights, axis=1)  # (dimensions, bits)
        values = self.weights_.T @ points.T  # (bits, items)
        signs = _signs(values)
        residuals = _residuals(pairs, signs)  # d_H − bits D of every pair
        objective = [_total(residuals)]
        for _ in range(self.cycles):
            for bit in range(self.bits):
                anchor = points[random.choice(anchors[bit])]
                kernel = points @ anchor  # (items,)
                move = _step(kernel, values[bit], pairs, residuals)
                if move:
                    self.weights_[:, bit] += move * anchor
                    values[bit] += move * kernel
                    _renew(*pairs[:2], residuals, signs[bit], _signs(values[bit]))
                    signs[bit] = _signs(values[bit])
            objective.append(_total(residuals))
            if objective[-2] - objective[-1] <= self.tolerance * objective[-2]:
                break
        self.objective_ = np.array(objective) / (2 * self.bits**2)

    def read(self, x: np.ndarray) -> Codes:
        """Return bits (x − mean) · weights > 0; the length of x − mean has no say in the sign."""
        return linear_codes(x, self.weights_, self.mean_ @ self.weights_)


def _unit_rows(x: np.ndarray) -> np.ndarray:
    """Return the rows scaled to length one; a row of zeros stays."""
    norms = np.linalg.norm(x, axis=1, keepdims=True)
    return x / np.where(norms > 0, norms, 1)


def _drawn(relevance: Relevance, share: float, random: np.random.Generator) -> _Pairs:
    """Return pairs of each item with `share` of the others, at least one, each listed with both of its items."""
    items = relevance.shape[0]
    count = max(1, round(share * (items - 1)))
    others, far = np.empty((items, count), np.uint32), np.empty((items, count), np.bool_)
    for first in range(0, items, BLOCK):
        rows = np.arange(first, min(first + BLOCK, items))
        keys = random.random((len(rows), items), np.float32)
        keys[np.arange(len(rows)), rows] = 2  # never with itself
        others[rows] = np.argpartition(keys, count - 1, axis=1)[:, :count]
        levels = relevance.levels[np.take_along_axis(relevance.block(rows), others[rows], axis=1)]
        far[rows] = levels < relevance.threshold
    if far.all() or not far.any():
        raise ValueError(f"relevance of BRE must have both relevant and other pairs; got {far.size} drawn pairs alike")
    one, other = np.repeat(np.arange(items, dtype=np.uint32), count), others.ravel()
    both = np.concatenate([one, other])
    order = np.argsort(both, kind="stable")
    starts = np.searchsorted(both[order], np.arange(items + 1))
    return _Pairs(starts, np.concatenate([other, one])[order], np.tile(far.ravel(), 2)[order])


def _signs(values: np.ndarray) -> np.ndarray:
    return np.where(values > 0, 1, -1).astype(np.int8)


def _residuals(pairs: _Pairs, signs: np.ndarray) -> np.ndarray:
    """Return d_H − bits D of every pair: from no bit different, each bit adds where its signs differ."""
    residuals = -len(signs) * pairs.far.astype(np.int16)
    same = np.ones_like(signs[0])
    for bit in signs:
        _renew(*pairs[:2], residuals, same, bit)
    return residuals


def _total(residuals: np.ndarray) -> int:
    """Return Σ (d_H − bits D)² over the pairs, which are all listed twice."""
    return int(np.square(residuals, dtype=np.int64).sum()) // 2


def _step(kernel: np.ndarray, now: np.ndarray, pairs: _Pairs, residuals: np.ndarray) -> float:
    """Return the move for which the signs of now + move · kernel are best; 0 where none lowers the objective."""
    can_flip = np.abs(kernel) > NARROW
    thresholds = np.full(len(now), np.inf)
    np.divide(-now, kernel, out=thresholds, where=can_flip)
    flips = np.argsort(thresholds, kind="stable")[: can_flip.sum()]
    thresholds = thresholds[flips]
    below = _signs(np.where(can_flip, -kernel, now))  # the signs left of all thresholds
    costs = _sweep(*pairs[:2], residuals, _signs(now), below, flips)  # (thresholds + 1,), one an interval
    ends = np.concatenate([thresholds[:1] - 2, thresholds, thresholds[-1:] + 2])
    wide = np.diff(ends) > NARROW * np.maximum(1, np.abs(ends[1:]))
    best = int(np.argmin(np.where(wide, costs, np.iinfo(np.int64).max))) if len(flips) else 0
    if costs[best] >= costs[np.searchsorted(thresholds, 0)]:
        return 0.0
    move = (ends[best] + ends[best + 1]) / 2
    below[flips[:best]] *= -1
    return float(move) if np.array_equal(_signs(now + move * kernel), below) else 0.0


@njit(cache=True)
def _sweep(
    starts: np.ndarray, others: np.ndarray, residuals: np.ndarray, now: np.ndarray, below: np.ndarray, flips: np.ndarray
) -> np.ndarray:
    """Return the objective left of all thresholds, called 0, and after each flip.

    With r the residual without this bit, a pair costs (r + 1)² if its signs differ and r² if not: 2 r + 1 between them,
    which is 2 residual + sᵢ sⱼ of the signs `now`.
    """
    signs = below.copy()
    costs = np.zeros(len(flips) + 1, np.int64)
    for step, item in enumerate(flips):
        change = 0
        for place in range(starts[item], starts[item + 1]):
            other = others[place]
            change += (2 * np.int32(residuals[place]) + now[item] * now[other]) * signs[other]
        costs[step + 1] = costs[step] + signs[item] * change
        signs[item] = -signs[item]
    return costs


@njit(cache=True)
def _renew(
    starts: np.ndarray, others: np.ndarray, residuals: np.ndarray, before: np.ndarray, after: np.ndarray
) -> None:
    """Bring the residuals up to date with one bit's signs."""
    for item in range(len(starts) - 1):
        for place in range(starts[item], starts[item + 1]):
            other = others[place]
            residuals[place] += (before[item] * before[other] - after[item] * after[other]) >> 1
