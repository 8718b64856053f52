"""Intervals of a mean: against scipy's, and independent of batches."""

import numpy as np
import pytest
from scipy import stats

from evenrank import intervals
from evenrank.intervals import bootstrap_interval, student_interval

VALUES = np.random.default_rng(0).beta(0.6, 2, 400)


def test_student_is_scipys() -> None:
    wanted = stats.t.interval(0.9, 399, VALUES.mean(), stats.sem(VALUES))
    assert student_interval(VALUES, 0.9) == pytest.approx(wanted)


def test_bca_agrees_with_scipy_within_resampling_noise() -> None:
    wanted = stats.bootstrap((VALUES,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1))
    found = bootstrap_interval(VALUES, 0.95, 20_000, seed=2)
    assert found == pytest.approx(tuple(wanted.confidence_interval), abs=0.001)
    assert found != pytest.approx(student_interval(VALUES, 0.95), abs=1e-5)  # skewed values: not symmetric


def test_bca_does_not_depend_on_batches_and_is_seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bootstrap_interval(VALUES[:101], 0.95, 500, seed=3)
    monkeypatch.setattr(intervals, "BATCH", 101 * 7)
    assert bootstrap_interval(VALUES[:101], 0.95, 500, seed=3) == whole
    assert bootstrap_interval(VALUES[:101], 0.95, 500, seed=4) != whole


def test_too_few_or_constant_values() -> None:
    assert np.isnan(student_interval(VALUES[:1], 0.95)).all()
    assert np.isnan(bootstrap_interval(VALUES[:0], 0.95, 100, 0)).all()
    assert bootstrap_interval(np.ones(5), 0.95, 100, 0) == (1.0, 1.0)
