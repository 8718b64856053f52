"""BRE against brute force: the objective counted pair by pair, and every interval of a step tried out."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from evenrank import evaluate
from evenrank.methods.hashing import bre
from evenrank.methods.hashing.bre import BRE
from evenrank.methods.hashing.lsh import LSH
from evenrank.relevance import Graded, SameLabel


def blobs(items: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    labels = random.integers(0, 3, items)
    return random.standard_normal((3, 6))[labels] * 2 + random.standard_normal((items, 6)), labels


def literal_objective(codes: np.ndarray, labels: np.ndarray) -> float:
    """½ Σ over all ordered pairs (i, j), i ≠ j, of (d_H / bits − D)², as the paper writes it."""
    total = 0.0
    for i in range(len(labels)):
        for j in range(len(labels)):
            if i != j:
                total += ((codes[i] != codes[j]).mean() - (labels[i] != labels[j])) ** 2 / 2
    return total


@pytest.mark.parametrize("cycles", [0, 8])
def test_the_objective_is_that_of_the_codes(cycles: int) -> None:
    x, labels = blobs(40)
    method = BRE(bits=5, share=1.0, cycles=cycles).fit(x, labels)  # a share of 1: each pair from both sides
    assert method.objective_[-1] == pytest.approx(literal_objective(method.transform(x), labels), rel=1e-12)


@pytest.mark.parametrize("bits", [1, 12])
def test_the_objective_falls_and_never_rises(bits: int) -> None:
    method = BRE(bits=bits, share=0.3, cycles=20, tolerance=0).fit(*blobs(60))
    assert (np.diff(method.objective_) <= 0).all()
    assert method.objective_[-1] < method.objective_[0]


@pytest.mark.parametrize("seed", range(20))
def test_a_step_is_the_best_of_all_intervals(seed: int) -> None:
    random = np.random.default_rng(seed)
    labels = random.integers(0, 3, 15)
    kernel, values = random.standard_normal(15), random.standard_normal((4, 15))
    kernel[3] = 0  # has no threshold
    kernel[5], values[:, 5], labels[5] = kernel[4], values[:, 4], labels[4]  # a duplicate
    pairs = bre._drawn(SameLabel(labels, labels), 1.0, random)
    move = bre._step(kernel, values[2], pairs, bre._residuals(pairs, bre._signs(values)))

    def objective(by: float) -> float:
        moved = values.copy()
        moved[2] += by * kernel
        return literal_objective((moved > 0).T, labels)

    edges = np.unique(-values[2][kernel != 0] / kernel[kernel != 0])
    places = [edges[0] - 1, *((edges[1:] + edges[:-1]) / 2), edges[-1] + 1]
    assert objective(move) == pytest.approx(min(map(objective, places)), rel=1e-12)


def test_the_codes_find_relevant_items_far_better_than_random_projections() -> None:
    x, labels = load_digits(return_X_y=True)
    train, query = slice(0, 600), slice(600, 800)
    relevance = SameLabel(labels[query], labels[train])

    def precision(method: BRE | LSH) -> float:
        method.fit(x[train], labels[train])
        return evaluate(method.encode(x[query]), method.encode(x[train]), relevance, ["AP"]).mean["AP"]

    assert precision(BRE(bits=16, cycles=40)) > precision(LSH(bits=16)) + 0.1


def test_relevance_may_be_graded_and_only_its_threshold_counts() -> None:
    x, labels = blobs(30)
    same = np.equal.outer(labels, labels)
    plain = BRE(bits=6, cycles=5).fit(x, labels)
    graded = BRE(bits=6, cycles=5).fit(x, Graded(same * 3))
    assert np.array_equal(plain.transform(x), graded.transform(x))


def test_a_large_set_is_sampled() -> None:
    x, labels = blobs(200)
    method = BRE(bits=4, share=1.0, cycles=0, sample=20).fit(x, labels)
    assert method.objective_[0] <= 20 * 19 / 2  # every pair costs ½ at most
    assert len(method.encode(x)) == 200


@pytest.mark.parametrize("labels", [np.zeros(30, int), np.arange(30)])
def test_relevance_of_one_kind_is_refused(labels: np.ndarray) -> None:
    with pytest.raises(ValueError, match="relevance of BRE must have both relevant and other pairs"):
        BRE(bits=4, share=1.0).fit(blobs(30)[0], labels)


@pytest.mark.filterwarnings("error")
def test_equal_items_and_constant_features_are_no_trouble() -> None:
    x, labels = blobs(30)
    x[:, 2] = 7
    x[:10] = x[0]
    assert np.isfinite(BRE(bits=4, cycles=5).fit(x, labels).weights_).all()
    assert not BRE(bits=4, cycles=5).fit(np.ones((30, 3)), labels).encode(np.ones((2, 3))).unpack().any()
