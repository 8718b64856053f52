"""`evenrank bench`: what a run says before, while and after it, and that it can be stopped."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.runner import Progress
from evenrank.benchmark.store import Store
from evenrank.cli import app
from evenrank.cli.bench.live import News
from tests.benchmark.filled import filled
from tests.benchmark.plans import PLAN, written

ONE = PLAN.rpartition("[[methods]]")[0]  # LSH alone, which has nothing to tune


def called(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["bench", *arguments])


def printed(*arguments: str) -> str:
    done = called(*arguments)
    assert done.exit_code == 0, done.output
    return done.output


def test_a_dry_run_says_what_is_left_and_how_long_it_takes(tmp_path: Path) -> None:
    path = written(tmp_path)
    text = printed("run", str(path), "--dry-run", "--store", str(tmp_path / "none.sqlite"))
    assert "6 jobs to do; how long is unknown: --dry-run --time measures" in text
    assert not (tmp_path / "none.sqlite").exists()
    filled(Plan.read(path), tmp_path / "store.sqlite", jobs=5)
    text = printed("run", str(path), "--dry-run", "--store", str(tmp_path / "store.sqlite"), "--workers", "1")
    assert "1 jobs to do: about 5 s with --workers 1" in text


def test_a_dry_run_times_one_fit_a_method(tmp_path: Path) -> None:
    store = str(tmp_path / "none.sqlite")
    text = printed("run", str(written(tmp_path, ONE)), "--dry-run", "--time", "--store", store, "--workers", "2")
    assert "2 jobs to do: about" in text
    assert "unknown" not in text


def test_a_dry_run_without_the_data_still_shows_the_plan(tmp_path: Path) -> None:
    path = written(tmp_path, PLAN.replace('"digits"', '"nowhere/bundle.npz"'))
    text = printed("run", str(path), "--dry-run", "--store", str(tmp_path / "none.sqlite"))
    assert "iterations 10 … 100" in text
    assert "how long it takes is unknown: nowhere/bundle.npz: no such file" in text


def test_the_status_counts_study_by_study_and_says_what_failed(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = tmp_path / "store.sqlite"
    filled(plan, store, jobs=4, value=lambda job: None if job.number == 1 else 0.5)
    text = printed("status", "--store", str(store), "--json", str(tmp_path / "status.json"))
    [itq] = (line.split() for line in text.splitlines() if line.startswith("hashing/itq"))
    assert itq[1:9] == ["8", "2", "of", "2", "0", "of", "2", "0.5000"]
    assert "Digits: 2 trials and repeats are missing" in text
    assert "failed: hashing/lsh/8/repeat 1 {}\nValueError: it broke" in text
    assert "somewhere" not in text
    assert "somewhere" in printed("status", "--store", str(store), "--tracebacks")
    [about] = json.loads((tmp_path / "status.json").read_text())["plans"]
    assert [study["failed"] for study in about["studies"]] == [1, 1]
    assert about["failures"][0]["traceback"].endswith("it broke\n")


def test_the_table_is_printed_and_written_in_every_form(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), str(tmp_path / "store.sqlite")
    filled(plan, Path(store))
    assert "hashing/itq   8       test       0.5050" in printed("table", "--store", store)
    assert printed("table", "--store", store, "--format", "markdown").startswith("## Digits\n\n| method |")
    assert r"\begin{tabular}" in printed("table", "--store", store, "--format", "latex")
    assert printed("table", "--store", store, "--format", "json", "--out", str(tmp_path / "table.json")) == ""
    [found] = json.loads((tmp_path / "table.json").read_text())["plans"]
    assert [row["method"] for row in found["rows"]] == ["hashing/itq", "hashing/lsh"]


@pytest.mark.parametrize("verb", ["status", "table", "resume"])
def test_a_store_without_plans_is_one_line(tmp_path: Path, verb: str) -> None:
    store = tmp_path / "store.sqlite"
    assert (
        str(called(verb, "--store", str(store)).exception) == f"{store}: no such store; begin with evenrank bench run"
    )
    Store(store)
    assert (
        str(called(verb, "--store", str(store)).exception) == f"{store}: holds no plan; begin with evenrank bench run"
    )


@pytest.mark.parametrize("content", ['{"test": {}}', "3", "no JSON"])
def test_damaged_results_are_one_line_in_whatever_reads_them(tmp_path: Path, content: str) -> None:
    store = tmp_path / "store.sqlite"
    filled(Plan.read(written(tmp_path)), store)
    with sqlite3.connect(store) as connection:
        connection.execute("update jobs set metrics = ?, parameters = ?", [content, content])
    readers = [
        *(["bench", "table", "--store", str(store), "--format", form] for form in ("text", "json")),
        ["compare", str(store), "--metric", "AP", "--by-run"],
        ["report", str(store), "--out", str(tmp_path / "page.html")],
    ]
    for arguments in readers:
        error = CliRunner().invoke(app, arguments).exception
        assert isinstance(error, ValueError), (arguments, error)
        assert "\n" not in str(error)
        assert str(error).startswith(f"{store}: the store is damaged: ")


def test_news_name_the_study_that_got_better_last_and_the_time_left(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    store = filled(plan, tmp_path / "store.sqlite", jobs=5)
    news = News(plan, store, workers=1)
    assert news.of(Progress(2, 6, 0, {"lsh/8": 0.2}, 1)) == "lsh/8: AP 0.2000, its best so far; about 5 s left"
    better = {"lsh/8": 0.2, "itq/8": 0.1}
    assert news.of(Progress(3, 6, 1, better, 1)).startswith("1 failed; itq/8: AP 0.1000")
    assert news.of(Progress(4, 6, 1, better | {"lsh/8": 0.3}, 1)).startswith("1 failed; lsh/8: AP 0.3000")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Tests that run in the background ignore Ctrl-C, and so does what they start, unless it is told otherwise."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_run_that_is_stopped_says_how_to_go_on_and_does(tmp_path: Path) -> None:
    path, store = written(tmp_path, ONE.replace("repeats = 2", "repeats = 10")), tmp_path / "store.sqlite"
    plan = Plan.read(path)
    command = [sys.executable, "-m", "evenrank.cli", "bench", "run", str(path), "--store", str(store), "--workers", "1"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while running.poll() is None and not (store.is_file() and Store(store).outcomes(plan)):
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130
    assert f"stopped; go on with: evenrank bench resume --store {store}" in said
    done = Store(store).outcomes(plan)
    assert 1 <= len(done) < 10
    out = tmp_path / "table.json"
    again = [*command[:4], "run", str(path), "--store", str(store), "--out", str(out)]
    subprocess.run(again, check=True, capture_output=True, timeout=300)
    assert done.items() <= Store(store).outcomes(plan).items()
    [row] = json.loads(out.read_text())["rows"]
    assert len(row["values"]["AP"]) == 10
