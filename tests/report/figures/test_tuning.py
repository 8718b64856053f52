"""Tuning history and importance, of trials whose values are known."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from evenrank.benchmark.jobs import Job
from evenrank.benchmark.store import Store
from evenrank.report.contents import Contents, read
from evenrank.report.figure import Line, Points
from evenrank.report.figures import parameter_importance, tuning_history
from evenrank.report.figures.parameter_importance import importance
from tests.report.stores import plan, written

VALUES = [0.3, 0.5, 0.4, None, 0.7, 0.2, 0.6]
RATES = [0.1, 0.2, 0.4, 0.3, 0.9, 0.01, 0.3]


@pytest.fixture
def tuned(tmp_path: Path) -> Contents:
    chosen = plan(bits=[8], tuning={"trials": len(VALUES), "sampler": "random", "folds": 2})
    store = Store(tmp_path / "store.sqlite")
    store.add(chosen)
    for number, (value, rate) in enumerate(zip(VALUES, RATES, strict=True)):
        for fold in range(2):
            own = None if value is None else value + (0.1 if fold else -0.1)
            left = written({"validation": {"AP": own or 0.0}}, own, traceback="" if value else "ValueError: no\n")
            job = Job("tune", "hashing/itq", 8, number, fold)
            store.finish(chosen, job, {"rate": rate, "kind": "ab"[number % 2], "fixed": 1}, left)
    return read(store, chosen)


def test_trials_are_points_and_the_best_so_far_a_line(tuned: Contents) -> None:
    [panel] = tuning_history.draw(tuned).panels
    [line] = [series for series in panel.series if isinstance(series, Line)]
    [points] = [series for series in panel.series if isinstance(series, Points)]
    there = [value for value in VALUES if value is not None]
    assert list(points.x) == list(line.x) == [1, 2, 3, 5, 6, 7]
    assert points.y == pytest.approx(there)
    assert list(line.y) == pytest.approx([max(there[: place + 1]) for place in range(len(there))])
    assert points.texts[0] == "rate 0.1, kind a, fixed 1"


def test_importance_is_the_rank_correlation(tuned: Contents) -> None:
    [panel] = parameter_importance.draw(tuned).panels
    found = {series.rows[0]: series.values[0] for series in panel.series}
    kept = [(rate, value) for rate, value in zip(RATES, VALUES, strict=True) if value is not None]
    assert found["ITQ: rate"] == pytest.approx(abs(spearmanr(*zip(*kept, strict=True)).statistic))
    assert set(found) == {"ITQ: rate", "ITQ: kind"}  # what never varies has no importance
    assert panel.y.rows[0] == "ITQ: rate"


def test_importance_of_a_choice_is_the_correlation_ratio_of_ranks() -> None:
    kinds, values = ["a", "a", "b", "b", "c"], np.array([1.0, 2.0, 3.0, 5.0, 4.0])
    ranks = np.array([1, 2, 3, 5, 4]) - 3
    between = 2 * 1.5**2 + 2 * 1.0**2 + 1.0**2
    assert importance(kinds, values) == pytest.approx(np.sqrt(between / (ranks**2).sum()))
    assert importance([True, True, False], np.array([1.0, 1.0, 2.0])) == pytest.approx(1)


def test_a_few_trials_say_nothing(contents: Contents) -> None:
    assert parameter_importance.draw(contents) is None
