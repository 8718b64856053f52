"""MACHash: free codes and hash functions, learned in turns, each pulled towards the other.

Raziperchikolaei & Carreira-Perpiñán, Optimizing affinity-based binary hashing using auxiliary coordinates, NIPS 2016.
Codes Z and functions h share one objective, over labelled pairs with y = 1 for relevant ones and −1 for others:

    Σ_(i,j) (zᵢ · zⱼ − bits yᵢⱼ)² + μ Σᵢ ‖zᵢ − h(xᵢ)‖²

h-step: each bit of h is a linear support vector machine, fitted to that column of Z. Z-step: one bit z after another,
with A = S − bits y and S the products of the other bits, minimise zᵀ A z − 2 μ hᵀ z: relaxed to [−1, 1], solved by
L-BFGS-B from the present z, rounded, and kept only if the objective falls ("quad" in the paper). The first codes are
free, μ = 0; then μ grows until Z = h(X). Since h is what remains, items are held out to choose the best one met.

What differs: μ is given in units of the mean number of pairs of an item. As a plain number, the sum over hundreds of
pairs would outweigh it, and the codes would never move. Of the paper's variants only these are here: no other loss, no
graph cut, no kernel machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numba import njit
from scipy.optimize import minimize
from scipy.sparse import coo_array, csr_array

from evenrank.codes import Codes
from evenrank.evaluate import evaluate
from evenrank.method import Method, linear_codes
from evenrank.parameters import Integer, Real
from evenrank.relevance import Relevance

BLOCK = 256  # rows of pairs that are drawn at once
FREE = 5  # Z-steps at most for the free codes, which no function holds back
TOLERANCE, FITTED = 1e-5, 200  # relative gain at which machines are fitted, and iterations at most
RELAXED = 20  # iterations of L-BFGS-B for a bit: it is rounded afterwards anyway


@dataclass(eq=False, repr=False, kw_only=True)
class MACHash(Method):
    """Linear hash functions, led to a good fit of the affinities by codes that are free to move but pulled to them.

    Of more than `sample` items that many are drawn, and of these the share `held_out` is kept aside: the functions with
    the best AP of those as queries are kept (of the fitted items themselves where it is none). Each item is paired with
    up to `similar` relevant and `dissimilar` other items. `pull` is the first μ and `growth` its factor a round;
    `slack_cost` is the machines' C, for features centred and scaled to a mean square length of one.
    """

    title = "MACHash"
    paper = "Raziperchikolaei & Carreira-Perpiñán, NIPS 2016"
    supervision = "relevance"
    cost = "minutes on 5,000 items; grows with items × pairs × bits × rounds"

    bits: Annotated[int, Integer(1, 4096)] = 32
    similar: Annotated[int, Integer(1)] = 100
    dissimilar: Annotated[int, Integer(1)] = 500
    pull: Annotated[float, Real(0, search=(0.01, 100), log=True)] = 0.3
    growth: Annotated[float, Real(1, 100)] = 1.4
    rounds: Annotated[int, Integer(0)] = 12
    slack_cost: Annotated[float, Real(1e-6, search=(0.01, 100), log=True)] = 1.0
    held_out: Annotated[float, Real(0, 0.5)] = 0.1
    sample: Annotated[int, Integer(2)] = 5000
    seed: Annotated[int, Integer(0)] = 0

    def learn(self, x: np.ndarray, y: Relevance) -> None:
        """Learn free codes and functions that predict them, then alternate Z-step and h-step while μ grows."""
        random = np.random.default_rng(self.seed)
        drawn = random.permutation(len(x))[: self.sample]
        held, rows = np.split(drawn, [int(self.held_out * len(drawn))])
        judges = held if len(held) else rows
        mean = x[rows].mean(axis=0, dtype=np.float64)
        scale = np.sqrt(np.square(x[rows] - mean).sum(axis=1).mean()) or 1.0
        points = (x[rows] - mean) / scale  # (items, dimensions)
        labels = _labelled(y.take(rows, rows), self.similar, self.dissimilar, random)  # (items, items)
        unit = labels.nnz / len(rows)  # pairs an item
        codes = _free_codes(labels, random.choice(np.array([-1.0, 1.0]), (self.bits, len(rows))))
        best, machines = -1.0, None
        for pull in (*(self.pull * self.growth ** np.arange(self.rounds)), None):
            machines = _h_step(points, codes, self.slack_cost, machines)
            weights = machines[:-1] / scale
            thresholds = mean @ weights - machines[-1]
            hashed, queries = (linear_codes(x[some], weights, thresholds) for some in (rows, judges))
            score = evaluate(queries, hashed, y.take(judges, rows), ["AP"], empty="zero").mean["AP"]
            if score > best:
                best, self.weights_, self.thresholds_ = score, weights, thresholds
            predicted = hashed.signs().T.astype(np.float64)
            if pull is None or np.array_equal(codes, predicted):
                break
            codes = _z_step(labels, codes, predicted, unit * pull)

    def read(self, x: np.ndarray) -> Codes:
        """Return bits x · weights > thresholds."""
        return linear_codes(x, self.weights_, self.thresholds_)


def _labelled(relevance: Relevance, similar: int, dissimilar: int, random: np.random.Generator) -> csr_array:
    """Return y of the drawn pairs, (items, items), symmetric: 1 if either item finds the other relevant, else −1."""
    items = relevance.shape[0]
    one, other, value = [], [], []
    for row in range(items):
        if row % BLOCK == 0:
            near = relevance.levels[relevance.block(slice(row, row + BLOCK))] >= relevance.threshold
        for is_similar, most in ((True, similar), (False, dissimilar)):
            others = np.flatnonzero(near[row % BLOCK] == is_similar)
            others = random.permutation(others[others != row])[:most]
            one.append(np.full(len(others), row))
            other.append(others)
            value.append(np.full(len(others), 1 + is_similar))
    pairs = coo_array((np.concatenate(value), (np.concatenate(one), np.concatenate(other))), (items, items)).tocsr()
    pairs = pairs.maximum(pairs.T)
    if np.ptp(pairs.data) == 0:
        raise ValueError(f"relevance of MACHash must have both relevant and other pairs; got {len(pairs.data)} alike")
    return csr_array((2.0 * pairs.data - 3, pairs.indices, pairs.indptr), pairs.shape)


def _free_codes(labels: csr_array, codes: np.ndarray) -> np.ndarray:
    """Return codes (bits, items) that fit the labels alone: Z-steps without a pull, until no bit moves."""
    for _ in range(FREE):
        before, codes = codes, _z_step(labels, codes, np.zeros_like(codes), 0)
        if np.array_equal(before, codes):
            break
    return codes


def _h_step(points: np.ndarray, codes: np.ndarray, slack_cost: float, start: np.ndarray | None = None) -> np.ndarray:
    """Return the machines (dimensions + 1, bits) fitted to codes (bits, items), the last row their offsets.

    The loss is the squared hinge, LIBLINEAR's: smooth, and offsets are weights of a constant feature. So the machines
    of all bits are one sum, which L-BFGS minimises at once, by products of matrices, from the machines of last time.
    """
    extended = np.column_stack([points, np.ones(len(points))])  # (items, dimensions + 1)
    signs, shape = codes.T, (extended.shape[1], len(codes))

    def objective(flat: np.ndarray) -> tuple[float, np.ndarray]:
        machines = flat.reshape(shape)
        short = np.maximum(1 - signs * (extended @ machines), 0)  # by how much a margin is missed
        value = 0.5 * np.square(machines).sum() + slack_cost * np.square(short).sum()
        return float(value), (machines - 2 * slack_cost * extended.T @ (signs * short)).ravel()

    first = np.zeros(shape) if start is None else start
    options = {"maxiter": FITTED, "ftol": TOLERANCE}
    found = minimize(objective, first.ravel(), jac=True, method="L-BFGS-B", options=options).x
    return np.asarray(found.reshape(shape))


def _z_step(labels: csr_array, codes: np.ndarray, predicted: np.ndarray, pull: float) -> np.ndarray:
    """Return codes (bits, items) that fit labels and predictions no worse, each bit moved once."""
    codes = codes.copy()
    products = np.zeros(labels.nnz, np.float32)  # zᵢ · zⱼ of every labelled pair
    for signs in codes:
        products += _same(labels.indptr, labels.indices, signs)
    for bit, signs in enumerate(codes):
        products -= _same(labels.indptr, labels.indices, signs)
        affinity = csr_array((products - len(codes) * labels.data, labels.indices, labels.indptr), labels.shape)
        codes[bit] = _better(affinity, pull * predicted[bit], signs)
        products += _same(labels.indptr, labels.indices, codes[bit])
    return codes


def _better(affinity: csr_array, pulled: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Return signs z with a lower zᵀ A z − 2 pulledᵀ z, or those given if the rounded relaxation has none."""

    def objective(z: np.ndarray) -> tuple[float, np.ndarray]:
        product = affinity @ z
        return float(z @ (product - 2 * pulled)), 2 * (product - pulled)

    options = {"maxiter": RELAXED}
    relaxed = minimize(objective, signs, jac=True, method="L-BFGS-B", bounds=[(-1, 1)] * len(signs), options=options).x
    rounded = np.where(relaxed == 0, signs, np.sign(relaxed))
    return rounded if objective(rounded)[0] < objective(signs)[0] else signs


@njit(cache=True)
def _same(starts: np.ndarray, others: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Return sᵢ sⱼ of every pair."""
    same = np.empty(len(others), np.float32)
    for item in range(len(starts) - 1):
        for place in range(starts[item], starts[item + 1]):
            same[place] = signs[item] * signs[others[place]]
    return same
