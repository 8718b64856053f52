"""StructHash: its most violated ranking against all rankings, its pair costs against the triplets."""

from itertools import permutations

import numpy as np
import pytest
from sklearn.datasets import load_digits

import evenrank as er
from evenrank.methods.hashing.lsh import LSH
from evenrank.methods.hashing.struct_hash import NOBODY, StructHash, _draw, _pair_costs, most_violated
from evenrank.relevance import SameLabel


def violation(ranking: tuple[int, ...], relevant: np.ndarray, irrelevant: np.ndarray) -> float:
    """Return Σ ±(s_j - s_l) / (|P||N|) + 1 - nDCG of a ranking: items below len(relevant) are the relevant ones."""
    rank = {item: place for place, item in enumerate(ranking, 1)}
    score = 0.0
    for j, s_j in enumerate(relevant):
        for other, s_l in enumerate(irrelevant, len(relevant)):
            score += (1 if rank[j] < rank[other] else -1) * (s_j - s_l)
    gain = sum(1 / np.log2(rank[j] + 1) for j in range(len(relevant)))
    ideal = sum(1 / np.log2(place + 2) for place in range(len(relevant)))
    return float(score / (len(relevant) * len(irrelevant)) + 1 - gain / ideal)


def merged(places: np.ndarray, relevant: int) -> tuple[int, ...]:
    order = sorted([(j, 1, j) for j in range(relevant)] + [(k, 0, item) for item, k in enumerate(places, relevant)])
    return tuple(item for _, _, item in order)


@pytest.mark.parametrize("seed", range(25))
def test_the_most_violated_ranking_equals_exhaustive_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weight = (0.05, 0.3, 1.0)[seed % 3]  # from any order goes to only the scores' order
    relevant = -weight * np.sort(rng.integers(0, 5, rng.integers(1, 4)))
    irrelevant = -weight * np.sort(rng.integers(0, 7, rng.integers(1, 5)))
    places = most_violated(relevant, irrelevant)
    assert (np.diff(places) >= 0).all()
    most = max(violation(r, relevant, irrelevant) for r in permutations(range(len(relevant) + len(irrelevant))))
    assert violation(merged(places, len(relevant)), relevant, irrelevant) == pytest.approx(most, abs=1e-12)


def test_without_scores_the_worst_ranking_has_all_irrelevant_items_first() -> None:
    assert most_violated(np.zeros(3), np.zeros(4)).tolist() == [0, 0, 0, 0]


def test_scores_that_separate_by_more_than_the_loss_are_not_violated() -> None:
    assert most_violated(np.zeros(3), np.full(4, -10.0)).tolist() == [3, 3, 3, 3]


def test_pair_costs_count_the_triplets_in_the_wrong_order() -> None:
    rng = np.random.default_rng(2)
    similar = np.equal.outer(*2 * (np.arange(12) % 3,))
    near, far = _draw(similar, 4, 5, rng)  # an item has three relevant ones: one place stays empty
    codes = rng.random((12, 6)) < 0.5
    distances = (codes[:, None] != codes).sum(axis=2)
    rows = np.arange(12)[:, None]
    costs = _pair_costs(near, distances[rows, near], far, distances[rows, far], 0.05)
    expected = np.zeros((12, 12))
    for i in range(12):
        above, below = (row[np.argsort(distances[i, row], kind="stable")] for row in (near[i, :3], far[i]))
        places = most_violated(-0.05 * distances[i, above], -0.05 * distances[i, below])
        for irrelevant, place in zip(below, places, strict=True):
            for relevant in above[place:]:
                expected[i, relevant] -= 1 / 15
                expected[i, irrelevant] += 1 / 15
    assert 0 < (expected != 0).mean() < 1
    np.testing.assert_allclose(costs, expected, atol=1e-6)


def test_drawn_items_are_relevant_and_irrelevant_and_never_the_query() -> None:
    y = np.array([0, 0, 0, 1, 1, 2])
    similar = np.equal.outer(y, y)
    near, far = _draw(similar, 2, 2, np.random.default_rng(0))
    assert [sorted(row[row != NOBODY].tolist()) for row in near] == [[1, 2], [0, 2], [0, 1], [4], [3], []]
    assert not similar[np.arange(6)[:, None], far].any()


def test_it_beats_lsh_on_digits() -> None:
    x, y = load_digits(return_X_y=True)
    x, y = x[:900], y[:900]
    found = {}
    for method in StructHash(bits=16, trees=20), LSH(bits=16):
        method.fit(x[200:], y[200:])
        codes = method.encode(x[:200]), method.encode(x[200:])
        found[type(method)] = er.evaluate(*codes, SameLabel(y[:200], y[200:]), metrics=["AP"]).mean["AP"]
    assert found[StructHash] > found[LSH] + 0.3


def test_once_no_ranking_is_violated_bits_still_differ_between_classes() -> None:
    y = np.arange(40) % 2
    x = np.random.default_rng(0).normal(size=(40, 3)) + 10 * y[:, None]
    codes = StructHash(bits=6, weight=1e6, trees=3).fit(x, y).transform(x)
    assert (codes[y == 0] == -codes[y == 1]).all()


def test_an_item_without_relevant_ones_is_no_query() -> None:
    x = np.random.default_rng(0).normal(size=(30, 4))
    y = np.r_[np.arange(10), np.zeros(20, int)]
    assert StructHash(bits=4, trees=3).fit(x, y).transform(x).shape == (30, 4)


def test_a_single_class_is_refused() -> None:
    with pytest.raises(ValueError, match="relevance of StructHash must have irrelevant pairs"):
        StructHash(bits=4).fit(np.eye(5), np.zeros(5, int))
