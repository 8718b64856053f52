"""The two-way bootstrap: its variance, its coverage, its shape, its blocks."""

from __future__ import annotations

import numpy as np
import pytest

from evenrank.significance import bootstrap
from evenrank.significance.bootstrap import bootstrap_difference, resampled_differences
from evenrank.significance.error import standard_error


def interval(first: np.ndarray, second: np.ndarray, resamples: int = 500, seed: int = 0) -> tuple[float, float]:
    differences = second.mean(axis=0) - first.mean(axis=0)
    error = standard_error(differences, first.mean(axis=1), second.mean(axis=1))
    return bootstrap_difference(first, second, error, 0.95, resamples, seed)


def test_a_resample_draws_runs_and_queries_anew() -> None:
    random = np.random.default_rng(0)
    first, second = random.random((2, 6)), random.random((3, 6))
    plain = np.empty(6_000)
    for place in range(len(plain)):
        queries = random.integers(0, 6, 6)
        a, b = (runs[random.integers(0, len(runs), len(runs))][:, queries] for runs in (first, second))
        plain[place] = b.mean() - a.mean()
    found = resampled_differences(first, second, 20_000, seed=1)
    assert found.mean() == pytest.approx(plain.mean(), abs=5 * plain.std() / np.sqrt(len(plain)))
    assert found.std() == pytest.approx(plain.std(), rel=0.05)
    np.testing.assert_allclose(np.quantile(found, [0.1, 0.9]), np.quantile(plain, [0.1, 0.9]), atol=0.015)


@pytest.mark.parametrize(
    ("runs", "of_run", "of_query", "of_both"),
    [((1, 1), 0.0, 0.1, 0.1), ((3, 3), 0.05, 0.1, 0.02), ((3, 3), 0.0, 0.1, 0.1), ((2, 8), 0.03, 0.05, 0.1)],
)
def test_the_interval_holds_the_truth_as_often_as_it_says(
    runs: tuple[int, int], of_run: float, of_query: float, of_both: float
) -> None:
    random, queries, times = np.random.default_rng(8), 40, 1000
    inside = 0
    for time in range(times):
        first, second = (random.normal(0, of_run, (n, 1)) + random.normal(0, of_both, (n, queries)) for n in runs)
        low, high = interval(first, second + 0.2 + random.normal(0, of_query, queries), 200, time)
        inside += low <= 0.2 <= high
    assert 0.95 - 3.5 * np.sqrt(0.95 * 0.05 / times) <= inside / times <= 0.995  # rather too wide than too narrow


def test_runs_that_differ_widen_the_interval() -> None:
    random = np.random.default_rng(2)
    first, second = random.random((2, 3, 50))
    low, high = interval(first, second)
    wide = interval(first + np.array([[-0.2], [0], [0.2]]), second)
    assert wide[0] < low < high < wide[1]


def test_skewed_differences_give_a_skewed_interval() -> None:
    second = np.random.default_rng(3).exponential(1, (1, 30)) ** 2
    low, high = interval(np.zeros((1, 30)), second, 4000)
    assert high - second.mean() > 1.2 * (second.mean() - low)


def test_nothing_that_varies_gives_a_point() -> None:
    assert interval(np.full((2, 5), 0.25), np.full((1, 5), 0.5)) == (0.25, 0.25)


def test_blocks_change_nothing_and_the_seed_does(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = np.random.default_rng(4).random((2, 3, 101))
    whole = resampled_differences(first, second, 200, seed=5)
    monkeypatch.setattr(bootstrap, "BATCH", 101 * 7)
    np.testing.assert_allclose(resampled_differences(first, second, 200, seed=5), whole, atol=1e-12)
    assert not np.allclose(resampled_differences(first, second, 200, seed=6), whole)
