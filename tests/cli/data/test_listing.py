"""`evenrank data list`: the table, one dataset, JSON."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenrank.catalog import entries
from evenrank.cli import app


def shown(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["data", "list", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def line(output: str, name: str) -> list[str]:
    [found] = [line for line in output.splitlines() if line.split()[:1] == [name]]
    return found.split()


def test_the_table_has_every_dataset_of_the_catalog(tmp_path: Path) -> None:
    output = shown("--data", str(tmp_path))
    assert [line(output, entry.name)[0] for entry in entries("datasets")]
    assert line(output, "digits") == ["digits", "Digits", "image", "built", "in", "yes", "1,797", "10"]
    assert line(output, "cifar10") == ["cifar10", "CIFAR-10", "image", "fetch", "no", "60,000", "10"]
    assert line(output, "bundle")[-5:] == ["your", "own", "–", "–", "–"]
    assert f"looked in {tmp_path}" in output


def test_a_dataset_whose_files_exist_is_there(tmp_path: Path) -> None:
    (tmp_path / "labelme22k").mkdir()
    (tmp_path / "labelme22k/LabelMe_gist.mat").write_bytes(b"")
    assert line(shown("--data", str(tmp_path)), "labelme22k")[-3:] == ["yes", "22,019", "–"]


def test_the_data_root_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENRANK_DATA", str(tmp_path))
    assert f"looked in {tmp_path}" in shown()


def test_one_dataset_is_shown_whole(tmp_path: Path) -> None:
    output = shown("nus_wide", "--data", str(tmp_path))
    for words in ("nus-wide/Groundtruth/AllLabels", "CIVR 2009", "by agreement", "labels: one of 10, 21, 81 (21)"):
        assert words in output
    assert line(output, "or")[1] == "nus-wide/Concepts81.txt,"
    assert "md5:c32a1d4ab5d03f1284b67883e8d87530" in shown("cifar10")
    assert "path: str (required)" in shown("bundle")


def test_programs_get_all_of_it(tmp_path: Path) -> None:
    shown("--data", str(tmp_path), "--json", str(tmp_path / "list.json"))
    found = json.loads((tmp_path / "list.json").read_text(encoding="utf-8"))
    assert found["root"] == str(tmp_path)
    assert [each["name"] for each in found["datasets"]] == [entry.name for entry in entries("datasets")]
    [digits] = [each for each in found["datasets"] if each["name"] == "digits"]
    assert (digits["items"], digits["categories"], digits["there"], digits["licence"]) == (1797, 10, True, "CC BY 4.0")


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["data", "list", "cifr10", "--json", str(tmp_path / "list.json")])
    assert "did you mean cifar10?" in str(done.exception)
    assert not (tmp_path / "list.json").exists()


@pytest.mark.parametrize("verb", ["list", "fetch", "verify", "check", "features"])
def test_every_verb_explains_itself(verb: str) -> None:
    done = CliRunner().invoke(app, ["data", verb, "--help"])
    assert done.exit_code == 0
    assert f"Example: evenrank data {verb}" in done.output
