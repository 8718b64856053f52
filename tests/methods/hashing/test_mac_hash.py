"""MACHash against its objective counted pair by pair, exhaustive search over signs, and the machines' optimum."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array
from sklearn.datasets import load_digits

from evenrank import evaluate
from evenrank.methods.hashing import mac_hash
from evenrank.methods.hashing.lsh import LSH
from evenrank.methods.hashing.mac_hash import MACHash
from evenrank.relevance import Graded, SameLabel


def blobs(items: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    labels = random.integers(0, 3, items)
    return random.standard_normal((3, 6))[labels] * 2 + random.standard_normal((items, 6)), labels


def labelled(labels: np.ndarray, similar: int = 3, dissimilar: int = 5) -> csr_array:
    return mac_hash._labelled(SameLabel(labels, labels), similar, dissimilar, np.random.default_rng(0))


def literal_objective(y: np.ndarray, codes: np.ndarray, predicted: np.ndarray, pull: float) -> float:
    """Each labelled pair once, (z_i · z_j − bits y)², and μ ‖z − h‖² of every item; codes (bits, items)."""
    total = pull * float(np.square(codes - predicted).sum())
    for i in range(len(y)):
        for j in range(i):
            if y[i, j]:
                total += (codes[:, i] @ codes[:, j] - len(codes) * y[i, j]) ** 2
    return total


@pytest.mark.parametrize("pull", [0.0, 3.0, 30.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_z_step_never_raises_the_objective(pull: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = random.integers(0, 4, 40)
    y = labelled(labels)
    codes, predicted = random.choice([-1.0, 1.0], (2, 6, 40))
    values = []
    for _ in range(4):
        values.append(literal_objective(y.toarray(), codes, predicted, pull))
        codes = mac_hash._z_step(y, codes, predicted, pull)
    assert values[1] < values[0]
    assert (np.diff(values) <= 0).all()


@pytest.mark.parametrize("seed", range(10))
def test_the_step_of_a_bit_is_exact_where_two_groups_fit_perfectly(seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = random.permutation(np.repeat([0, 1], 5))
    y = labelled(labels, 9, 9)  # every pair: the only minima tell the groups apart, one the mirror image of the other
    nothing = np.zeros((1, 10))
    start = np.where(labels == 1, 1.0, -1.0) * np.where(random.permutation(10) < 4, -1, 1)  # four signs wrong
    found = mac_hash._z_step(y, start[None], nothing, 0.0)
    every = np.array(list(product([-1.0, 1.0], repeat=10)))[:, None]
    best = min(literal_objective(y.toarray(), codes, nothing, 0.0) for codes in every)
    assert literal_objective(y.toarray(), found, nothing, 0.0) == best


@pytest.mark.parametrize("seed", range(5))
def test_a_z_step_is_exact_for_all_bits_where_the_pull_outweighs_the_pairs(seed: int) -> None:
    random = np.random.default_rng(seed)
    y = labelled(random.permutation([0, 0, 1, 1, 1]))
    codes, predicted = random.choice([-1.0, 1.0], (2, 2, 5))
    found = mac_hash._z_step(y, codes, predicted, 50.0)
    every = np.array(list(product([-1.0, 1.0], repeat=10))).reshape(-1, 2, 5)
    best = min(every, key=lambda some: literal_objective(y.toarray(), some, predicted, 50.0))
    assert np.array_equal(found, best)


def test_labelled_pairs_are_symmetric_right_and_as_many_as_asked_for() -> None:
    labels = np.random.default_rng(0).integers(0, 3, 50)
    y = labelled(labels, 3, 5).toarray()
    assert np.array_equal(y, y.T)
    assert not y.diagonal().any()
    assert np.array_equal(y[y != 0] > 0, np.equal.outer(labels, labels)[y != 0])
    assert ((y > 0).sum(axis=1) >= 3).all()
    assert ((y < 0).sum(axis=1) >= 5).all()
    assert (y != 0).sum() <= 2 * 50 * 8


@pytest.mark.parametrize("warm", [False, True])
def test_an_h_step_finds_the_least_squared_hinge(warm: bool) -> None:
    x, labels = blobs(60)
    codes = np.where([labels == 0, labels == 1, labels >= 0], 1.0, -1.0)  # the last bit is the same everywhere
    inputs = np.column_stack([x, np.ones(len(x))])
    machines = mac_hash._h_step(x, codes, 0.1, np.ones((7, 3)) if warm else None)
    for machine, signs in zip(machines.T, codes, strict=True):

        def objective(machine: np.ndarray, signs: np.ndarray = signs) -> float:
            return machine @ machine / 2 + 0.1 * np.square(np.maximum(0, 1 - signs * (inputs @ machine))).sum()

        assert objective(machine) <= 1.01 * minimize(objective, np.zeros(7)).fun
    assert (inputs @ machines[:, 2] > 0).all()


def test_the_codes_find_relevant_items_far_better_than_random_projections() -> None:
    x, labels = load_digits(return_X_y=True)
    train, query = slice(0, 600), slice(600, 800)
    relevance = SameLabel(labels[query], labels[train])

    def precision(method: MACHash | LSH) -> float:
        method.fit(x[train], labels[train])
        return evaluate(method.encode(x[query]), method.encode(x[train]), relevance, ["AP"]).mean["AP"]

    assert precision(MACHash(bits=12, rounds=3)) > precision(LSH(bits=12)) + 0.2


def test_relevance_may_be_graded_and_only_its_threshold_counts() -> None:
    x, labels = blobs(40)
    same = np.equal.outer(labels, labels)
    plain = MACHash(bits=6, rounds=2, held_out=0.0).fit(x, labels)
    graded = MACHash(bits=6, rounds=2, held_out=0.0).fit(x, Graded(same * 3))
    assert np.array_equal(plain.transform(x), graded.transform(x))


@pytest.mark.parametrize("labels", [np.zeros(30, int), np.arange(30)])
def test_relevance_of_one_kind_is_refused(labels: np.ndarray) -> None:
    with pytest.raises(ValueError, match="relevance of MACHash must have both relevant and other pairs"):
        MACHash(bits=4).fit(blobs(30)[0], labels)


@pytest.mark.filterwarnings("error")
def test_equal_items_constant_features_and_few_items_are_no_trouble() -> None:
    x, labels = blobs(30)
    x[:, 2] = 7
    x[:10] = x[0]
    assert np.isfinite(MACHash(bits=4, rounds=3).fit(x, labels).weights_).all()
    assert np.isfinite(MACHash(bits=4, rounds=3).fit(np.ones((30, 3)), labels).weights_).all()
    assert len(MACHash(bits=4, rounds=3, sample=8).fit(x, labels).encode(x)) == 30
