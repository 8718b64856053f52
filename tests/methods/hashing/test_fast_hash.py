"""FastHash: its block step against exhaustive search, trees against scikit-learn's, costs against the losses."""

from itertools import product

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.tree import DecisionTreeClassifier

import evenrank as er
from evenrank.method import Method
from evenrank.methods.hashing import _boosted_trees
from evenrank.methods.hashing._block_step import cut_block, infer_signs, similar_blocks, similar_pairs
from evenrank.methods.hashing._boosted_trees import Quantised, boost, votes
from evenrank.methods.hashing.fast_hash import FastHash, _pair_costs
from evenrank.methods.hashing.lsh import LSH
from evenrank.relevance import Graded, SameLabel, SharedLabels


def clusters(items: int = 240, classes: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=items)
    return rng.normal(size=(classes, 6))[y] + 0.7 * rng.normal(size=(items, 6)), y


def average_precision(method: Method, x: np.ndarray, y: np.ndarray, queries: int) -> float:
    method.fit(x[queries:], y[queries:])
    relevance = SameLabel(y[:queries], y[queries:])
    result = er.evaluate(method.encode(x[:queries]), method.encode(x[queries:]), relevance, metrics=["AP"])
    return result.mean["AP"]


@pytest.mark.parametrize("seed", range(30))
def test_the_block_step_equals_exhaustive_search(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 9))
    inside = -np.triu(rng.integers(0, 6, (size, size)), 1).astype(float)
    inside += inside.T
    unary = rng.integers(-15, 16, size) / (1 if seed % 2 else 7)  # whole numbers and others

    def cost(z: np.ndarray) -> float:
        return float(unary @ z + z @ inside @ z)

    least = min(cost(np.array(z)) for z in product((-1, 1), repeat=size))
    assert cost(cut_block(inside, unary)) == pytest.approx(least, abs=1e-6)


def test_a_block_step_never_raises_the_objective() -> None:
    rng = np.random.default_rng(1)
    similar = np.equal.outer(*2 * (rng.integers(3, size=60),))
    pairs = np.where(similar, -1, 1) * rng.integers(1, 9, (60, 60))
    pairs = pairs + pairs.T
    blocks = similar_blocks(similar, rng)
    costs = []
    for sweeps in range(5):
        z = infer_signs(pairs, blocks, sweeps)
        costs.append(z @ pairs @ z)
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]


def test_blocks_are_the_classes() -> None:
    y = np.array([0, 1, 0, 2, 1, 0])
    blocks = similar_blocks(np.equal.outer(y, y), np.random.default_rng(0))
    assert sorted(sorted(block.tolist()) for block in blocks) == [[0, 2, 5], [1, 4], [3]]


def test_blocks_of_overlapping_labels_are_mutually_similar_and_hold_every_item_once() -> None:
    rng = np.random.default_rng(0)
    labels = rng.random((80, 6)) < 0.3
    similar = similar_pairs(SharedLabels(labels, labels), np.arange(80), "FastHash")
    blocks = similar_blocks(similar, rng)
    assert all(similar[np.ix_(block, block)].all() for block in blocks)
    assert sorted(np.concatenate(blocks)) == list(range(80))


def test_relevance_in_one_direction_makes_a_pair_similar() -> None:
    relevance = Graded(np.array([[0, 3, 0], [0, 0, 0], [0, 0, 0]]))
    similar = similar_pairs(relevance, np.arange(3), "FastHash")
    assert similar.tolist() == [[True, True, False], [True, True, False], [False, False, True]]


@pytest.mark.parametrize("bits", [4, 7])
def test_pair_costs_are_the_differences_of_the_hinge_loss(bits: int) -> None:
    distances = np.arange(bits)[:, None].repeat(2, axis=1)
    costs = _pair_costs(distances, np.array([True, False]), bits / 2)
    for d in range(bits):
        assert costs[d, 0] == d**2 - (d + 1) ** 2
        assert costs[d, 1] == max(0, bits / 2 - d) ** 2 - max(0, bits / 2 - d - 1) ** 2


@pytest.mark.parametrize("r", [1, 2, 5])
def test_pair_costs_at_margin_r_are_those_of_ksh(r: int) -> None:
    distances = np.arange(r)[:, None].repeat(2, axis=1)  # of r - 1 bits
    costs = _pair_costs(distances, np.array([True, False]), r)
    inner = r - 1 - 2 * distances
    wanted = np.array([r, -r])
    np.testing.assert_allclose(4 * costs, ((inner + 1 - wanted) ** 2 - (inner - 1 - wanted) ** 2))


def test_one_tree_on_all_features_is_that_of_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_boosted_trees, "TRIM", 1.0)
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200, 5)).astype(np.float32)  # fewer values than levels: nothing is lost
    z = np.where(x[:, 0] * x[:, 1] + 0.3 * rng.normal(size=200) > 0, 1.0, -1.0)
    ours = boost(Quantised.of(x), z, 1, 4, 5, rng)
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(x, z)
    np.testing.assert_array_equal(np.sign(votes(x, ours)), theirs.predict(x))


def test_boosting_is_adaboost_with_trees_of_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_boosted_trees, "TRIM", 1.0)
    rng = np.random.default_rng(5)
    x = rng.normal(size=(150, 4)).astype(np.float32)
    z = np.where(np.sin(3 * x[:, 0]) + x[:, 1] + 0.5 * rng.normal(size=150) > 0, 1.0, -1.0)
    weights, expected = np.full(150, 1 / 150), np.zeros(150)
    for _ in range(6):
        says = DecisionTreeClassifier(max_depth=2, random_state=0).fit(x, z, sample_weight=weights).predict(x)
        error = weights[says != z].sum()
        expected += 0.5 * np.log((1 - error) / error) * says
        weights = weights * np.exp(-0.5 * np.log((1 - error) / error) * says * z)
        weights /= weights.sum()
    np.testing.assert_allclose(votes(x, boost(Quantised.of(x), z, 6, 2, 4, rng)), expected, rtol=1e-4)


def test_trees_read_levels_and_values_alike() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3000, 3)).astype(np.float32)  # more values than levels
    quantised = Quantised.of(x)
    assert quantised.levels.max() == 255
    for feature in range(3):
        above = x[:, feature, None] > quantised.edges[feature]
        np.testing.assert_array_equal(above.sum(axis=1), quantised.levels[feature])


def test_codes_are_the_signs_of_all_votes() -> None:
    x, y = clusters()
    method = FastHash(bits=3, trees=5).fit(x, y)
    signs = np.empty((len(x), 3), int)
    for item, bit in np.ndindex(signs.shape):
        total = 0.0
        for features, thresholds, leaves in zip(
            method.features_[bit], method.thresholds_[bit], method.votes_[bit], strict=True
        ):
            node = 0
            while node < len(features):
                node = 2 * node + 1 + int(np.float32(x[item, features[node]]) > thresholds[node])
            total += leaves[node - len(features)]
        signs[item, bit] = 1 if total > 0 else -1
    np.testing.assert_array_equal(method.transform(x), signs)


@pytest.mark.parametrize("loss", ["hinge", "ksh"])
def test_it_beats_lsh_on_digits(loss: str) -> None:
    x, y = load_digits(return_X_y=True)
    x, y = x[:900], y[:900]
    found = average_precision(FastHash(bits=16, trees=20, loss=loss), x, y, 200)
    assert found > average_precision(LSH(bits=16), x, y, 200) + 0.3


def test_a_sample_of_the_items_is_learned_from() -> None:
    x, y = clusters(600)
    rows = np.sort(np.random.default_rng(7).choice(600, 100, replace=False))
    small = FastHash(bits=8, trees=10, sample=100, seed=7).fit(x, y)
    spoilt = x.copy()
    spoilt[np.setdiff1d(np.arange(600), rows)] = 0
    again = FastHash(bits=8, trees=10, sample=100, seed=7).fit(spoilt, y)
    np.testing.assert_array_equal(small.transform(x), again.transform(x))
    assert average_precision(FastHash(bits=8, trees=10, sample=100), x, y, 100) > 0.7


def test_multi_label_data_and_graded_relevance_are_learned_from() -> None:
    x, y = clusters()
    labels = np.eye(4, dtype=int)[y]
    expected = FastHash(bits=6, trees=5).fit(x, y).transform(x)
    np.testing.assert_array_equal(FastHash(bits=6, trees=5).fit(x, labels).transform(x), expected)
    graded = Graded(3 * np.equal.outer(y, y))
    np.testing.assert_array_equal(FastHash(bits=6, trees=5).fit(x, graded).transform(x), expected)


def test_a_single_class_is_refused() -> None:
    with pytest.raises(ValueError, match="relevance of FastHash must have irrelevant pairs"):
        FastHash(bits=4).fit(np.eye(5), np.zeros(5, int))


def test_features_that_are_all_alike_are_refused() -> None:
    with pytest.raises(ValueError, match="features of FastHash must vary"):
        FastHash(bits=4).fit(np.ones((20, 3)), np.arange(20) % 2)
