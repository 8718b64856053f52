"""The permutation test: against enumeration and scipy, calibrated, seeded, independent of blocks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from evenrank.significance import permutation
from evenrank.significance.permutation import permutation_test


def enumerated(differences: np.ndarray) -> float:
    """Return p from all sign patterns, one by one."""
    found = abs(differences.sum())
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return float(np.mean([each >= found - 1e-12 for each in sums]))


@pytest.mark.parametrize("count", [1, 2, 5, 8, 12])
def test_few_queries_are_enumerated(count: int) -> None:
    differences = np.random.default_rng(count).normal(0.3, 1, count)
    assert permutation_test(differences, 10_000, seed=0) == enumerated(differences)
    rounded = differences.round(1)  # patterns that tie, and zeros
    assert permutation_test(rounded, 10_000, seed=0) == enumerated(rounded)


def test_it_is_scipys_exact_test() -> None:
    a, b = np.random.default_rng(3).random((2, 9))
    wanted = stats.permutation_test((a, b), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=np.inf)
    assert permutation_test(a - b, 10_000, seed=0) == pytest.approx(wanted.pvalue, abs=1e-12)


def test_random_patterns_come_close_to_all_of_them() -> None:
    differences = np.random.default_rng(4).normal(0.5, 1, 15)
    exact, drawn = (permutation_test(differences, count, seed=0) for count in (2**15, 2**15 - 1))
    assert exact != drawn
    assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 2**15))


def test_p_is_small_only_by_chance_if_nothing_differs() -> None:
    random = np.random.default_rng(5)
    found = [permutation_test(random.standard_exponential(30) * random.choice([-1, 1], 30), 199, 0) for _ in range(400)]
    for level in (0.05, 0.2, 0.5):
        assert np.mean(np.array(found) <= level) == pytest.approx(level, abs=4 * np.sqrt(level * (1 - level) / 400))


def test_p_is_never_0_and_1_if_nothing_differs() -> None:
    assert permutation_test(np.full(1000, 0.1), 999, seed=0) == 1 / 1000
    assert permutation_test(np.zeros(1000), 999, seed=0) == 1.0


def test_zero_differences_change_nothing() -> None:
    differences = np.random.default_rng(6).normal(0.5, 1, 11)
    assert permutation_test(np.append(differences, np.zeros(500)), 10_000, 0) == enumerated(differences)


def test_blocks_change_nothing_and_the_seed_does(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = np.random.default_rng(7).normal(0.1, 1, 101)
    whole = permutation_test(differences, 1000, seed=1)
    monkeypatch.setattr(permutation, "BATCH", 101 * 7)
    assert permutation_test(differences, 1000, seed=1) == whole
    assert permutation_test(differences, 1000, seed=2) != whole
    assert permutation_test(differences[:10], 1024, seed=1) == enumerated(differences[:10])
