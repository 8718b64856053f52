"""`evenrank plan`: the list, the schema, and what is wrong in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from evenrank.benchmark.plan import Plan
from evenrank.benchmark.shipped import shipped
from evenrank.cli import app


def printed(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["plan", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_list_has_every_plan(tmp_path: Path) -> None:
    lines = {
        line.split()[0]: line for line in printed("list", "--json", str(tmp_path / "plans.json")).splitlines()[2:-2]
    }
    assert set(lines) == set(shipped())
    assert lines["digits"].split()[-3:] == ["5", "12", "15"]
    [digits] = (each for each in json.loads((tmp_path / "plans.json").read_text())["plans"] if each["name"] == "digits")
    assert (digits["trials"], digits["final runs"]) == (12, 15)


def test_a_check_prints_what_would_run(tmp_path: Path) -> None:
    text = printed("check", "digits", "--json", str(tmp_path / "plan.json"))
    assert "fixed for all that have it: epochs = 20, batch = 128" in text
    assert "learning_rate 0.001 … 10, alpha 0.1 … 40" in text
    whole = Plan.model_validate_json((tmp_path / "plan.json").read_text())
    assert whole.hash == Plan.read(shipped()["digits"]).hash


def test_a_plan_is_shown_as_it_is() -> None:
    assert printed("show", "digits") == shipped()["digits"].read_text("utf-8")


def test_the_schema_has_every_key_of_a_plan() -> None:
    schema = json.loads(printed("schema"))
    assert set(schema["properties"]) == set(Plan.model_fields)
    assert schema["additionalProperties"] is False


def test_what_is_wrong_is_one_line_and_status_2(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(shipped()["digits"].read_text("utf-8").replace("hashing/itq", "hashing/itqq"), "utf-8")
    command = [sys.executable, "-m", "evenrank.cli", "plan", "check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "did you mean hashing/itq" in done.stderr
