"""Tables: the best first, who is level with it, what was chosen, and what a reader must know."""

import json
from pathlib import Path

import numpy as np
import pytest

from evenrank.benchmark.jobs import Job
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.store import Report, Store
from evenrank.benchmark.table import alike, lines, record, table
from tests.benchmark.filled import PROVENANCE, filled
from tests.benchmark.plans import PLAN, written


def noisy(job: Job) -> float:
    """Return values by which ITQ is a little better, less than repeats differ."""
    return 0.5 + 0.1 * job.number + (0.01 if "itq" in job.method else 0.0)


def test_the_best_comes_first_and_who_is_level_is_marked(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "apart.sqlite")
    assert [line.method for line in lines(plan, store.rows(plan))] == ["hashing/itq", "hashing/lsh"]
    assert [line.level for line in lines(plan, store.rows(plan))] == [{"AP", "P@10"}, set()]
    level = filled(plan, tmp_path / "level.sqlite", value=noisy)
    assert [line.level for line in lines(plan, level.rows(plan))] == [{"AP", "P@10"}] * 2
    assert "* not told apart" in table(plan, level)


def test_without_repeats_nobody_is_called_level(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path, PLAN.replace("repeats = 2", "repeats = 1")))
    store = filled(plan, tmp_path / "store.sqlite", value=noisy)
    assert not any(line.level for line in lines(plan, store.rows(plan)))
    assert "*" not in table(plan, store)


def test_what_was_chosen_stands_beside_its_range(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite")
    chosen = store.outcomes(plan)["hashing/itq/8/trial 1/fold 0"].parameters["iterations"]
    [row] = (line for line in table(plan, store).splitlines() if "iterations" in line)
    assert row.split() == ["hashing/itq", "8", "iterations", str(chosen), "10", "…", "100"]
    assert {"method": "hashing/itq", "width": 8, "parameters": {"iterations": chosen}} in record(plan, store)["chosen"]


def test_notes_say_what_is_missing_failed_leaking_and_opened_twice(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path, PLAN + "trials = 1\n"))
    store = filled(
        plan,
        tmp_path / "store.sqlite",
        jobs=4,
        value=lambda job: None if job.key == "hashing/lsh/8/repeat 1" else 0.5,
    )
    store.open_test(plan, Job("final", "hashing/lsh", 8, 0), {"other": 1})
    assert record(plan, store)["notes"] == [
        "uneven: hashing/itq has 1 trials, others 2",
        "1 of 4 final runs are missing",
        "1 of 4 final runs failed",
        "leak: two are one",
        "hashing/lsh/8: the test set was opened with 2 different settings",
    ]
    assert "1 of 4 final runs failed" in table(plan, store)


def test_nothing_done_is_said(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    assert table(plan, filled(plan, tmp_path / "store.sqlite", jobs=0)).startswith("no final run is done yet")


@pytest.mark.parametrize(("form", "line"), [("markdown", "| --- | --- | --- | ---: "), ("latex", r"\toprule")])
def test_it_prints_for_papers(tmp_path: Path, form: str, line: str) -> None:
    plan = Plan.read(written(tmp_path))
    assert line in table(plan, filled(plan, tmp_path / "store.sqlite"), form)  # type: ignore[arg-type]


def test_a_metric_without_a_value_is_null_for_programs(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite", value=lambda job: float("nan") if "lsh" in job.method else 0.5)
    text = json.dumps(record(plan, store), allow_nan=False)
    assert [row["mean"]["AP"] for row in json.loads(text)["rows"]] == [0.5, None]


def test_programs_learn_with_what_the_jobs_ran(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    for number, version in enumerate(("2.0", "2.1")):
        left = Report(0.5, {"test": {"AP": 0.5, "P@10": 0.5}}, {}, 1.0, PROVENANCE | {"libraries": {"numpy": version}})
        store.finish(plan, Job("final", "hashing/lsh", 8, number), {}, left)
    assert record(plan, store)["provenance"] == {
        "data": (PROVENANCE["data"],),
        "libraries": {"numpy": ("2.0", "2.1")},
        "python": ("3.11.0",),
        "machines": ("a machine",),
    }


def test_welch_tells_apart_what_repeats_tell_apart() -> None:
    scipy = pytest.importorskip("scipy.stats")
    random = np.random.default_rng(0)
    for shift in (0.0, 0.5, 1.0, 2.0):
        first, second = random.normal(0, 1, 6), random.normal(shift, 2, 9)
        assert alike(first, second) == (scipy.ttest_ind(first, second, equal_var=False).pvalue >= 0.05)
