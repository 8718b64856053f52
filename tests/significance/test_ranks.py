"""Average ranks: Friedman against scipy, Nemenyi's quantiles against the printed ones and an integral."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from evenrank.significance.ranks import average_ranks

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize("digits", [10, 1])  # 1: many ties
def test_friedman_is_scipys(digits: int) -> None:
    values = (RANDOM.random((40, 5)) + 0.1 * np.arange(5)).round(digits)
    assert average_ranks(values).p == pytest.approx(stats.friedmanchisquare(*values.T).pvalue)


@pytest.mark.parametrize(("methods", "quantile"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_critical_differences_are_those_of_demsars_table(methods: int, quantile: float) -> None:
    found = average_ranks(RANDOM.random((30, methods))).critical
    assert found == pytest.approx(quantile * np.sqrt(methods * (methods + 1) / (6 * 30)), rel=3e-4)


def test_the_quantile_is_that_of_the_range_of_normal_numbers() -> None:
    spread = average_ranks(RANDOM.random((6, 6)), 0.9).critical / np.sqrt(6 * 7 / 36) * np.sqrt(2)
    within = integrate.quad(
        lambda z: 6 * stats.norm.pdf(z) * (stats.norm.cdf(z) - stats.norm.cdf(z - spread)) ** 5, -8, 8
    )
    assert within[0] == pytest.approx(0.9, abs=1e-6)


def test_the_best_is_first_and_equals_share() -> None:
    found = average_ranks(np.array([[0.1, 0.9, 0.5], [0.2, 0.8, 0.8]]))
    assert found.average.tolist() == [3.0, 1.25, 1.75]


def test_equal_methods_do_not_differ() -> None:
    assert average_ranks(np.ones((8, 3))).p == 1.0


def test_nothing_in_common_has_no_ranks() -> None:
    assert np.isnan(average_ranks(np.empty((0, 3))).average).all()
