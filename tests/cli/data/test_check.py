"""`evenrank data check`: what it prints, writes and exits with."""

import json
from pathlib import Path

import numpy as np
import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from evenrank.cli.data.check import check

app = typer.Typer()
app.command()(check)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def leaking(tmp_path: Path) -> Path:
    """Points, every one of which is there twice: a hold-out cannot keep copies apart."""
    values = np.random.default_rng(0).standard_normal((50, 8)).astype(np.float32)
    np.savez(tmp_path / "bundle.npz", image=np.concatenate([values, values]), label=np.arange(100) % 2)
    return tmp_path / "bundle.npz"


def test_a_clean_split_exits_with_0_and_states_the_protocol() -> None:
    done = run("digits", "hold_out(share=0.1)")
    assert done.exit_code == 0, done.output
    assert "hold_out/1(share=0.1): 10% of the items query all others" in done.output
    assert "Split(hold-out: 1,617 train, 180 query, 1,617 database)" in done.output
    assert "constant in train" in done.output


def test_a_leak_exits_with_1_and_is_written_as_json(leaking: Path, tmp_path: Path) -> None:
    done = run(str(leaking), "hold_out", "--json", str(tmp_path / "found.json"), "--near", "0")
    assert done.exit_code == 1, done.output
    written = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    [split] = written["splits"]
    leaks = [each for each in split["findings"] if each["severity"] == "leak"]
    assert {each["kind"] for each in leaks} == {"duplicates"}
    assert len(leaks[0]["rows"][0]) == 2
    assert all(each["text"] in done.output for each in split["findings"])
    assert "~".join(map(str, leaks[0]["rows"][0])) in done.output


def test_one_split_can_be_chosen_by_its_name() -> None:
    done = run("digits", "hold_out", "--split", "hold-out", "--near", "0")
    assert done.exit_code == 0, done.output
    refused = run("digits", "hold_out", "--split", "fold 9")
    assert str(refused.exception) == "--split must be one of hold-out; got 'fold 9'"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("digit", "hold_out"), "did you mean digits"),
        (("digits", "holdout"), "did you mean hold_out"),
        (("digits", "hold_out", "--near", "3"), "near must be a number from 0 to 1"),
        (("digits", "hold_out", "--json", "no/such/folder.json"), "does not exist"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], message: str) -> None:
    error = run(*arguments).exception
    assert isinstance(error, ValueError)
    assert message in str(error)
    assert "\n" not in str(error)
