"""How long is known from what is done, from elsewhere, or not at all."""

from pathlib import Path

from evenrank.benchmark.estimate import elsewhere, shares, total
from evenrank.benchmark.plan import Plan
from tests.benchmark.filled import filled
from tests.benchmark.plans import PLAN, written


def test_jobs_left_cost_what_done_ones_did(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite", jobs=3)  # both repeats of LSH, the first trial of ITQ
    left = shares(plan, 1, store.outcomes(plan), store.seconds(plan), {})
    assert [(share.method, share.kind, share.jobs, share.seconds) for share in left] == [
        ("hashing/lsh", "tune", 0, None),
        ("hashing/lsh", "final", 0, 5.0),
        ("hashing/itq", "tune", 1, 4.0),
        ("hashing/itq", "final", 2, None),
    ]
    assert total(left, 2) is None
    known = shares(plan, 1, store.outcomes(plan), store.seconds(plan), {("hashing/itq", 16, "final"): 3.0})
    assert total(known, 2) == (1 * 4.0 + 2 * 3.0) / 2


def test_a_failed_fold_leaves_no_others_of_its_trial(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite", folds=3, jobs=3, value=lambda job: None)
    tune = shares(plan, 3, store.outcomes(plan), {}, {})[2]
    assert tune.jobs == 3


def test_other_plans_of_the_store_on_the_same_data_are_asked(tmp_path: Path) -> None:
    done = Plan.read(written(tmp_path, PLAN.replace('"hashing/itq"', '"hashing/itq"\nlabel = "mine"')))
    store = filled(done, tmp_path / "store.sqlite")
    plan = Plan.read(written(tmp_path, PLAN.replace("repeats = 2", "repeats = 3")))
    assert elsewhere(plan, store) == {
        ("hashing/lsh", 8, "final"): 5.0,
        ("hashing/itq", 8, "tune"): 4.0,
        ("hashing/itq", 8, "final"): 5.0,
    }
    other = Plan.read(written(tmp_path, PLAN.replace("queries=5", "queries=6")))
    assert elsewhere(other, store) == {}
