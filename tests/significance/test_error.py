"""Standard errors and what they could reveal: against scipy's t tests and against simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from evenrank.significance.error import Error, standard_error

RANDOM = np.random.default_rng(0)


def test_one_sample_gives_students_interval() -> None:
    values = RANDOM.random(30)
    low, high = stats.t.interval(0.9, 29, values.mean(), stats.sem(values))
    assert standard_error(values).half_width(0.9) == pytest.approx((high - low) / 2)


def test_two_samples_give_welchs_error_and_degrees() -> None:
    a, b = RANDOM.normal(0, 1, 7), RANDOM.normal(0, 3, 12)
    wanted = stats.ttest_ind(a, b, equal_var=False)
    found = standard_error(a, b)
    assert (a.mean() - b.mean()) / found.value == pytest.approx(wanted.statistic)
    assert found.degrees == pytest.approx(wanted.df)


def test_a_single_run_adds_nothing() -> None:
    values = RANDOM.random(30)
    assert standard_error(values, values[:1]) == standard_error(values)


def test_nothing_that_varies_has_no_error() -> None:
    error = standard_error(np.ones(4), np.ones(2))
    assert (error.value, error.half_width(0.95), error.detectable(0.95)) == (0, 0, 0)


@pytest.mark.parametrize("degrees", [2, 4, 30.5, 10_000])
@pytest.mark.parametrize("confidence", [0.95, 0.99])
def test_the_detectable_difference_is_where_the_power_is_80_percent(degrees: float, confidence: float) -> None:
    found = Error(0.01, degrees).detectable(confidence) / 0.01
    critical = stats.t.ppf((1 + confidence) / 2, degrees)
    assert stats.nct.sf(critical, degrees, found) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("count", [5, 60])
def test_a_detectable_difference_is_found_four_times_in_five(count: int) -> None:
    true = Error(1 / np.sqrt(count), count - 1).detectable(0.95)
    samples = np.random.default_rng(count).normal(true, 1, (4000, count))
    found = stats.ttest_1samp(samples, 0, axis=1).pvalue <= 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.02)
