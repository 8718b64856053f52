"""`evenrank methods`: the list, read without importing, and all about one method."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenrank.catalog import entries, find
from evenrank.cli import app

ENTRIES = {entry.name: entry for entry in entries("methods")}


def shown(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["methods", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_table_has_every_method_of_the_catalog() -> None:
    lines = {line.split()[0]: line for line in shown("list").splitlines() if line}
    assert set(ENTRIES) <= set(lines)
    assert "Gong and Lazebnik, CVPR 2011" in lines["hashing/itq"]
    assert "features alone" in lines["hashing/itq"]
    assert "labels or relevance" in lines["hashing/talr_ap"]  # which its base class says
    assert "gradient descent" in lines["hashing/talr_ap"]


@pytest.mark.parametrize("name", ENTRIES)
def test_constants_read_by_parsing_are_those_of_the_class(name: str) -> None:
    parsed, cls = ENTRIES[name].constants, ENTRIES[name].load()
    for constant in ("title", "paper", "supervision", "takes_images", "cost"):
        assert parsed[constant] == getattr(cls, constant)


def test_listing_imports_neither_torch_nor_a_method() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from evenrank.cli import app;"
        "assert CliRunner().invoke(app, ['methods', 'list']).exit_code == 0;"
        "print([name for name in sys.modules if name in ('torch', 'sklearn', 'numba') or 'evenrank.methods' in name])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_programs_get_all_of_it(tmp_path: Path) -> None:
    shown("list", "--json", str(tmp_path / "list.json"))
    found = {each["name"]: each for each in json.loads((tmp_path / "list.json").read_text("utf-8"))["methods"]}
    assert list(found) == list(ENTRIES)
    assert found["hashing/talr_ap"]["supervision"] == "relevance"
    assert found["hashing/talr_ap"]["takes_images"] is True
    assert {each["kind"] for each in found.values()} == {name.split("/")[0] for name in ENTRIES}


def test_one_method_is_shown_with_defaults_and_ranges(tmp_path: Path) -> None:
    output = shown("show", "itq", "--json", str(tmp_path / "itq.json"))
    assert output == shown("show", "hashing/itq")
    assert output.startswith("hashing/itq: ITQ\n")
    assert find("methods", "itq").summary in output
    [iterations] = [line.split() for line in output.splitlines() if line.startswith("iterations")]
    assert " ".join(iterations) == "iterations 50 a whole number from 1 to 10000 10 … 100"
    about = json.loads((tmp_path / "itq.json").read_text("utf-8"))
    parameters = {each["name"]: each for each in about["parameters"]}
    assert parameters["iterations"]["search"] == [10, 100]
    assert parameters["iterations"]["scale"] == "linear"
    assert parameters["bits"] | {"allowed": ""} == {
        "name": "bits",
        "default": 32,
        "allowed": "",
        "search": None,
        "scale": None,
    }


@pytest.mark.parametrize("name", ENTRIES)
def test_every_method_can_be_shown(name: str) -> None:
    assert ENTRIES[name].constants["title"] in shown("show", name)


def test_logarithmic_ranges_choices_and_none_are_said_so() -> None:
    lines = {line.split()[0]: " ".join(line.split()) for line in shown("show", "dsh_superclass").splitlines() if line}
    assert lines["epochs"].endswith("10 … 200 (logarithmic)")
    assert lines["margin"].endswith("one of paper, consistent paper, consistent")
    assert lines["patience"].endswith("or none –")


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["methods", "show", "hashing/itk", "--json", str(tmp_path / "itq.json")])
    assert "did you mean hashing/itq?" in str(done.exception)
    assert not (tmp_path / "itq.json").exists()


@pytest.mark.parametrize("verb", ["list", "show"])
def test_every_verb_explains_itself(verb: str) -> None:
    assert f"Example: evenrank methods {verb}" in shown(verb, "--help")
