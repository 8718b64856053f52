"""A plan that runs, resumes, and never shows the test set to tuning."""

import sys
from pathlib import Path

import pytest

from evenrank.benchmark import parts
from evenrank.benchmark.jobs import Job, Task
from evenrank.benchmark.plan import Plan
from evenrank.benchmark.runner import run
from evenrank.benchmark.store import Store
from evenrank.benchmark.table import table
from tests.benchmark.plans import written


def numbers(store: Store, plan: Plan) -> dict[str, object]:
    return {row["key"]: (row["parameters"], row["value"], row["metrics"]) for row in store.rows(plan)}


def test_a_plan_runs_whole_and_a_second_time_nothing_is_left(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), Store(tmp_path / "store.sqlite")
    state = run(plan, store, tmp_path / "parts", workers=2)
    assert (state.done, state.total, state.failed) == (6, 6, 0)
    first = numbers(store, plan)
    run(plan, store, tmp_path / "parts")
    assert numbers(store, plan) == first
    store.forget(plan)
    run(plan, store, tmp_path / "parts")
    assert numbers(store, plan) == first
    assert "hashing/itq" in table(plan, store)
    assert all(len(settings) == 1 for settings in store.openings(plan).values())


def test_known_and_sealed_rows_are_apart_and_together_everything(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    parts.prepare(plan, tmp_path / "parts")
    data, folds = parts.known(tmp_path / "parts")
    whole, [split] = parts.whole(tmp_path / "parts")
    assert (len(data), len(whole)) == (200, 1797)
    assert (whole.modalities["image"][split.train] == data.modalities["image"]).all()
    [fold] = folds
    assert sorted([*fold.query, *fold.train]) == list(range(200))


SPY = """
import sys
from pathlib import Path
from evenrank.benchmark.sealing import seal
folder = Path(sys.argv[1])
seal(folder)
import numpy as np, os, subprocess
for attempt in (
    lambda: np.load(folder / "rows.npy"),
    lambda: open(folder / "rows.npy", "rb"),
    lambda: os.listdir(folder),
    lambda: (os.chdir(folder), open("rows.npy", "rb")),
    lambda: subprocess.run(["cat", str(folder / "rows.npy")], check=True),
    lambda: os.system("true"),
):
    try:
        attempt()
        print("seen")
    except PermissionError as error:
        print("sealed" in str(error))
"""


def test_a_process_that_tunes_cannot_open_the_test_set(tmp_path: Path) -> None:
    import subprocess

    plan = Plan.read(written(tmp_path))
    parts.prepare(plan, tmp_path / "parts")
    sealed = tmp_path / "parts" / "sealed"
    found = subprocess.run([sys.executable, "-c", SPY, str(sealed)], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["True"] * 6


@pytest.mark.parametrize("kind", ["tune", "final"])
def test_a_job_that_fails_is_kept_with_its_traceback(tmp_path: Path, kind: str) -> None:
    import subprocess

    plan = written(tmp_path)
    parts.prepare(Plan.read(plan), tmp_path / "parts")
    task = Task(Job(kind, "hashing/itq", 8, 0), {"iterations": -1})
    code = (
        "import sys; from pathlib import Path; from evenrank.benchmark.work import work;"
        "from evenrank.benchmark.plan import Plan; from evenrank.benchmark.jobs import Job, Task;"
        f"report = work(Plan.read(sys.argv[1]), Task(Job{tuple(task.job)}, {task.parameters}), Path(sys.argv[2]));"
        "print(report.value, report.traceback.splitlines()[-1])"
    )
    command = [sys.executable, "-c", code, str(plan), str(tmp_path / "parts")]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert found.startswith("None ValueError: iterations of ITQ must be")
