"""`evenrank compare` and `evenrank export` read the store of a benchmark."""

from __future__ import annotations

import re
from pathlib import Path

import optuna
import pytest
from typer.testing import CliRunner

from evenrank.benchmark.plan import Plan
from evenrank.cli import app
from tests.benchmark.filled import filled
from tests.benchmark.plans import PLAN, written


def answered(*arguments: str) -> str:
    done = CliRunner().invoke(app, [*arguments])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def test_final_runs_of_a_store_are_compared(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    filled(Plan.read(written(tmp_path)), store)
    text = answered("compare", str(store))
    assert re.search(r"^hashing/itq is better than hashing/lsh by 0\.3\d{3}", text, re.MULTILINE)
    assert "20 queries in all methods" in text
    assert "2 runs in all methods" in answered("compare", str(store), "--metric", "P@10", "--by-run")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--width must be one of 8, 16; got ''"),
        (("--width", "9"), "--width must be one of 8, 16; got '9'"),
        (("--width", "8", "--searched", "tests"), "--searched must be one of test; got 'tests'"),
        (("--plan", "Letters"), "--plan must name one of"),
    ],
)
def test_what_cannot_be_chosen_is_one_line(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    store = tmp_path / "store.sqlite"
    filled(Plan.read(written(tmp_path, PLAN.replace("bits = [8]", "bits = [8, 16]"))), store)
    done = CliRunner().invoke(app, ["compare", str(store), *options])
    assert said in str(done.exception)


def test_options_of_a_store_need_one(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["compare", "a.json", "b.json", "--width", "8"])
    assert "choose from a store: it must be the only argument" in str(done.exception)


def test_trials_are_exported_beside_the_results(tmp_path: Path) -> None:
    plan, store = Plan.read(written(tmp_path)), tmp_path / "store.sqlite"
    filled(plan, store)
    assert "hashing/itq/8: 2 trials added" in answered("export", "--store", str(store))
    [name] = optuna.get_all_study_names(f"sqlite:///{store}")
    assert name.startswith("Digits ")
    done = CliRunner().invoke(
        app, ["export", "--store", str(store), "--optuna-storage", f"sqlite:///{tmp_path}/no/o.db"]
    )
    assert "cannot be written by optuna: unable to open database file" in str(done.exception)
