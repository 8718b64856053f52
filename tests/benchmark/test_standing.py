"""How far each study is."""

from pathlib import Path

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.standing import history, standings
from tests.benchmark.filled import filled
from tests.benchmark.plans import written


def test_trials_and_repeats_are_counted_and_the_best_is_a_mean_over_folds(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite", folds=2, jobs=5)  # repeats of LSH, a trial of ITQ and a fold
    lsh, itq = standings(plan, store)
    assert (lsh.tried, lsh.trials, lsh.repeated, lsh.repeats, lsh.openings, lsh.best) == (0, 0, 2, 2, 1, None)
    assert (itq.tried, itq.trials, itq.repeated, itq.openings) == (1, 2, 0, 0)
    assert itq.best == (0.5 + 0.501) / 2
    assert itq.setting == store.outcomes(plan)["hashing/itq/8/trial 0/fold 0"].parameters
    assert lsh.seconds == 10.0


def test_the_history_has_failed_trials_without_a_value(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite", value=lambda job: None if job.kind == "tune" else 0.5)
    trials = history(plan, store, "hashing/itq", 8)
    assert [(trial.number, trial.value, trial.state) for trial in trials] == [(0, None, "FAIL"), (1, None, "FAIL")]
    assert standings(plan, store)[1].failed == 2


def test_a_trial_that_is_not_over_is_not_in_the_history(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite", folds=2, jobs=5)
    [trial] = history(plan, store, "hashing/itq", 8)
    assert (trial.number, trial.folds, trial.value, trial.seconds) == (0, {0: 0.5, 1: 0.501}, 0.5005, 8.0)
