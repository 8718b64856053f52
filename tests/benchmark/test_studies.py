"""Trials are read back by optuna, from the store's own database or another, once each."""

from pathlib import Path

import optuna
import pytest

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Store
from evenrank.benchmark.studies import export
from tests.benchmark.filled import by_method, filled
from tests.benchmark.plans import written


@pytest.mark.parametrize("beside", [False, True])
def test_optuna_reads_settings_values_and_states(tmp_path: Path, beside: bool) -> None:
    plan = Plan.read(written(tmp_path))
    path = tmp_path / "store.sqlite"
    store = filled(plan, path, folds=2, value=lambda job: None if (job.number, job.fold) == (1, 0) else by_method(job))
    url = f"sqlite:///{tmp_path / 'optuna.sqlite'}" if beside else ""
    name = f"Digits {plan.hash[:8]}: hashing/itq/8"
    assert export(plan, store, url) == {name: 2}
    assert export(plan, store, url) == {name: 0}
    study = optuna.load_study(study_name=name, storage=url or f"sqlite:///{path}")
    done, failed = study.get_trials()
    outcomes = store.outcomes(plan)
    assert done.params == outcomes["hashing/itq/8/trial 0/fold 0"].parameters
    assert (done.value, done.state.name, done.intermediate_values) == (0.5005, "COMPLETE", {0: 0.5, 1: 0.501})
    assert (failed.value, failed.state.name) == (None, "FAIL")
    assert study.best_params == done.params
    assert Store(path).outcomes(plan) == outcomes


def test_what_is_new_is_added(tmp_path: Path) -> None:
    plan, path = Plan.read(written(tmp_path)), tmp_path / "store.sqlite"
    [first] = export(plan, filled(plan, path, jobs=3)).values()
    [second] = export(plan, filled(plan, path)).values()
    assert (first, second) == (1, 1)
