"""`evenrank tune`: one method, its trials, and its best setting on the test set."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from evenrank.cli import app

DATA = ("--dataset", "digits", "--protocol", "per_class(queries=5, training=20)")


def test_trials_are_shown_and_the_best_is_run(tmp_path: Path) -> None:
    store, out = str(tmp_path / "tuning.sqlite"), tmp_path / "tuning.json"
    budget = ("--trials", "2", "--repeats", "2", "--sampler", "random", "--workers", "2")
    arguments = ["tune", "hashing/itq(bits=8)", *DATA, *budget, "--store", store, "--json", str(out)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    found = json.loads(out.read_text())
    values = [trial["value"] for trial in found["trials"]]
    best = found["trials"][values.index(max(values))]["parameters"]
    assert found["best"] == best
    assert f'by "hashing/itq(bits=8, iterations={best["iterations"]})"' in done.output
    [row] = found["results"]["rows"]
    assert (row["method"], row["width"], len(row["values"]["AP"])) == ("hashing/itq", 8, 2)
    [chosen] = found["results"]["chosen"]
    assert chosen["parameters"] == best


def test_what_has_nothing_to_search_is_one_line(tmp_path: Path) -> None:
    store = str(tmp_path / "tuning.sqlite")
    done = CliRunner().invoke(app, ["tune", "hashing/itq(iterations=20)", *DATA, "--store", store])
    assert str(done.exception).startswith("hashing/itq has no keyword left to search")
    assert not Path(store).exists()
