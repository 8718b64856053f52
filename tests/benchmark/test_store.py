"""Results are there whole, once, and read back as they were."""

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from evenrank.benchmark.jobs import Job, Outcome
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Report, Store
from tests.benchmark.plans import written

JOB = Job("final", "hashing/itq", 8, 0)
REPORT = Report(0.5, {"test": {"AP": 0.5}}, {"test: AP": np.array([0.25, 0.75])}, 1.0, {"python": "3"})


def test_a_job_is_written_once_and_read_back(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    assert store.finish(plan, JOB, {"iterations": 3}, REPORT)
    assert not store.finish(plan, JOB, {"iterations": 4}, REPORT)
    again = Store(tmp_path / "store.sqlite")
    assert again.outcomes(plan) == {JOB.key: Outcome({"iterations": 3}, 0.5)}
    np.testing.assert_array_equal(again.per_query(plan, JOB.key)["test: AP"], [0.25, 0.75])


def test_a_claim_is_of_one_runner_until_it_runs_out(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    assert store.claim(plan, JOB, "one", 60)
    assert not store.claim(plan, JOB, "two", 60)
    store.renew(plan, "one", -1)
    assert store.claim(plan, JOB, "two", 60)
    store.finish(plan, JOB, {}, REPORT)
    assert not store.claim(plan, JOB, "three", 60)


def test_two_settings_on_one_test_set_are_seen(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    for iterations in (3, 3, 4):
        store.open_test(plan, JOB, {"iterations": iterations})
    assert [len(settings) for settings in store.openings(plan).values()] == [2]


def test_plans_are_kept(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    store.add(plan)
    store.add(plan)
    assert store.plans() == {plan.hash: plan}


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "store.sqlite")
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.execute("insert into evenrank values (99)")
    with pytest.raises(ValueError, match=r"written by a newer evenrank \(version 99"):
        Store(tmp_path / "store.sqlite")


def test_what_is_no_store_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite").write_text("no database, but long enough to look at " * 50)
    with pytest.raises(ValueError, match="the store cannot be used: file is not a database"):
        Store(tmp_path / "store.sqlite")


def test_exhibits_are_kept_with_their_job_and_forgotten_with_it(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    exhibits = {"undecided": {"test": 0.25}, "items": {"text": {"3": {"text": "<b>é</b>"}}}}
    store.finish(plan, JOB, {}, REPORT._replace(exhibits=exhibits))
    store.finish(plan, JOB, {}, REPORT._replace(exhibits={"undecided": {"test": 1.0}}))
    assert Store(tmp_path / "store.sqlite").exhibits(plan) == {JOB.key: exhibits}
    store.forget(plan)
    assert store.exhibits(plan) == {}


def test_a_store_from_before_there_were_exhibits_is_read_and_takes_them(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    store.finish(plan, JOB, {}, REPORT)
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.executescript("drop table exhibits; update evenrank set version = 1")
    again = Store(tmp_path / "store.sqlite")
    assert again.outcomes(plan) == {JOB.key: Outcome({}, 0.5)}
    assert again.exhibits(plan) == {}
    other = JOB._replace(number=1)
    again.finish(plan, other, {}, REPORT._replace(exhibits={"undecided": {"test": 0.5}}))
    assert Store(tmp_path / "store.sqlite").exhibits(plan) == {other.key: {"undecided": {"test": 0.5}}}


@pytest.mark.parametrize(
    "damage",
    [
        "update plans set content = 'no JSON'",
        "update jobs set metrics = 'no JSON'",
        "update job_values set content = substr(content, 1, 40)",
        "update job_values set content = cast('no array' as blob)",
    ],
)
def test_what_cannot_be_made_out_is_one_line(tmp_path: Path, damage: str) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    store.add(plan)
    store.finish(plan, JOB, {}, REPORT)
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.execute(damage)
    with pytest.raises(ValueError, match=r"store\.sqlite: the store is damaged: ") as caught:
        print(store.plans(), store.rows(plan), store.queries(plan, "test: AP"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("method", "why"), [("no_module_of_ours:Method", "no_module_of_ours"), (3, "Input should be a valid string")]
)
def test_a_plan_that_cannot_be_read_here_is_one_line(tmp_path: Path, method: object, why: str) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    content = plan.model_dump(mode="json") | {"methods": [{"name": method}]}
    store.add(plan)
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.execute("update plans set content = ?", [json.dumps(content)])
    with pytest.raises(ValueError, match=rf"store\.sqlite: holds a plan that cannot be read: .*{why}") as caught:
        store.plans()
    assert "\n" not in str(caught.value)
