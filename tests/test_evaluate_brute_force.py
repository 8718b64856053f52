"""From codes and embeddings with forced ties to every metric, against all orders of the tied items."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import evenrank as er
from evenrank.metric import parse
from tests import brute_force

NAMES = [
    "AP", "AP@3", "AP@R", "AP(divisor=retrieved)@3", "AP(divisor=min)@2", "AP(interpolation=trapezoid)",
    "AP(rel=2)", "DCG", "nDCG", "nDCG(gain=linear, discount=reciprocal)@3", "P@2", "P(rel=2)@3", "Rprec", "R@3",
    "F1@4", "RR", "RR@2", "Success@2", "TiedPairs", "Undecided",
]  # fmt: skip
RADIUS = ["P@H<=1", "R@H<=1", "F1@H<=1", "AP@H<=1", "DCG@H<=1"]
LEVELS = [0, 1, 2, 4]
QUERIES = 3


def groups_of(distance: np.ndarray, level: np.ndarray, every: bool) -> brute_force.Query:
    """Return the levels at each distance, nearest first; at `every` distance up to the largest, if they are Hamming."""
    steps = np.arange(distance.max() + 1) if every else np.unique(distance)
    return [level[distance == step].tolist() for step in steps]


def check(result: er.Result, distances: np.ndarray, levels: np.ndarray, names: list[str], hamming: bool) -> None:
    for name in names:
        metric = parse(name)
        for query in range(QUERIES):
            lacking = not np.any(levels[query] >= (getattr(metric, "rel", None) or 1))
            found = [part[query] for part in result.spreads[name]]
            if metric.needs_relevant and lacking:
                assert np.isnan(found).all(), name
                continue
            wanted = brute_force.spread(metric, groups_of(distances[query], levels[query], hamming), LEVELS)
            np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10, err_msg=name)


@settings(max_examples=350, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), items=st.integers(1, 7), bits=st.integers(1, 4))
def test_codes(seed: int, items: int, bits: int) -> None:
    random = np.random.default_rng(seed)
    query, database = random.integers(0, 2, (QUERIES, bits)), random.integers(0, 2, (items, bits))
    levels = random.choice([0, 0, 1, 2, 4], (QUERIES, items))
    result = er.evaluate(er.Codes.from_bits(query), er.Codes.from_bits(database), er.Graded(levels), NAMES + RADIUS)
    distances = (query[:, None] != database).sum(axis=2)
    check(result, distances, levels, NAMES + RADIUS, hamming=True)


@settings(max_examples=350, derandomize=True, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), items=st.integers(1, 7), kind=st.sampled_from(["cosine", "euclidean", "dot"]))
def test_embeddings(seed: int, items: int, kind: str) -> None:
    """Small whole coordinates: many distances coincide exactly, and integers say which."""
    random = np.random.default_rng(seed)
    query, database = random.integers(-1, 2, (QUERIES, 3)), random.integers(-1, 2, (items, 3))
    query[:, 0], database[:, 0] = 1, 1  # no zero row
    levels = random.choice([0, 0, 1, 2, 4], (QUERIES, items))
    product, square = query @ database.T, (database**2).sum(axis=1)
    distances = {
        "dot": -product,
        "euclidean": square - 2 * product,
        "cosine": -np.sign(product) * product**2 * (36 // square),  # ranks as product / √square; 36 / 1, 2, 3 is whole
    }[kind]
    result = er.evaluate(
        er.Embeddings(query.astype(np.float32), kind), er.Embeddings(database.astype(np.float32), kind),
        er.Graded(levels), NAMES,
    )  # fmt: skip
    check(result, distances, levels, NAMES, hamming=False)
