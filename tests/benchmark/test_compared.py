"""Final runs as comparisons take them: runs on the same queries, however many models searched them."""

from pathlib import Path

import numpy as np
import pytest

from evenrank.benchmark.compared import per_query, per_run, searches
from evenrank.benchmark.jobs import Job
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Report, Store
from tests.benchmark.filled import QUERIES, filled
from tests.benchmark.plans import written


def test_repeats_are_runs_on_the_same_queries(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite")
    assert searches(plan, store) == ["test"]
    found = per_query(plan, store, "map", 8, "test")
    assert {method: values.shape for method, values in found.items()} == dict.fromkeys(
        ("hashing/itq", "hashing/lsh"), (2, QUERIES)
    )
    stored = store.per_query(plan, "hashing/itq/8/repeat 1")["test: AP"]
    np.testing.assert_array_equal(found["hashing/itq"][1], stored)
    assert per_run(plan, store, "AP", 8, "test")["hashing/itq"].tolist() == [0.5, 0.51]
    with pytest.raises(ValueError, match="--metric must be one of the plan's, AP, P@10; got 'RR'"):
        per_query(plan, store, "RR", 8, "test")


def test_folds_on_the_same_queries_are_runs_too(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    folds = np.arange(12.0).reshape(3, 4)
    values = {"separated: AP": folds, "concatenated: AP": np.zeros(4)}
    metrics = {"separated": {"AP": 5.5, "P@10": 0.0}, "concatenated": {"AP": 0.0, "P@10": 0.0}}
    for number in range(2):
        store.finish(plan, Job("final", "hashing/itq", 8, number), {}, Report(5.5, metrics, values, 1.0, {}))
    [found] = per_query(plan, store, "AP", 8, "separated").values()
    np.testing.assert_array_equal(found, np.concatenate([folds, folds]))
    [found] = per_query(plan, store, "AP", 8, "concatenated").values()
    assert found.shape == (2, 4)


def test_a_clustering_score_is_compared_by_runs_alone(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)).model_copy(update={"metrics": ("NMI",)}), Store(tmp_path / "s.sqlite")
    for number, value in enumerate((0.25, 0.5)):
        left = Report(value, {"test": {"NMI": value}}, {}, 1.0, {})
        store.finish(plan, Job("final", "hashing/itq", 8, number), {}, left)
    assert per_run(plan, store, "NMI", 8, "test")["hashing/itq"].tolist() == [0.25, 0.5]
    with pytest.raises(ValueError, match="NMI has no values of queries: only --by-run can compare it"):
        per_query(plan, store, "NMI", 8, "test")
