"""`evenrank compare`: results in, an answer out, in three forms; printed tables; bad input as one line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

import evenrank as er
from evenrank.cli import app

NOISE = {"good": 0.8, "fair": 1.6, "even": 1.6}  # the smaller, the better the codes
SEEDS = {"good": 1, "fair": 2, "even": 3}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of results: three methods, the first with three runs, and one of other queries."""
    folder = tmp_path_factory.mktemp("results")
    random = np.random.default_rng(0)
    labels, centres = [random.integers(0, 4, n) for n in (60, 200)], random.standard_normal((4, 12))
    for name, noise in NOISE.items():
        for run in range(3):
            draw = np.random.default_rng([SEEDS[name], run])
            codes = [er.Codes.from_signs(centres[y] + noise * draw.standard_normal((len(y), 12))) for y in labels]
            er.evaluate(*codes, er.SameLabel(*labels), ["AP", "P@5"]).to_json(folder / f"{name}-{run}.json")
    er.evaluate(codes[0][:50], codes[1], er.SameLabel(labels[0][:50], labels[1])).to_json(folder / "fewer.json")
    return folder


@pytest.fixture(autouse=True)
def here(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(stored)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["compare", *arguments])


def shown(*arguments: str) -> str:
    done = run(*arguments)
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def runs(name: str) -> str:
    return f"{name}={','.join(f'{name}-{number}.json' for number in range(3))}"


def test_an_answer_for_every_pair() -> None:
    text = shown("good-0.json", "fair-0.json", "even-0.json", "--metric", "map")
    assert re.search(r"^good-0 is better than fair-0 by 0\.\d{4} \(0\.\d{4} … 0\.\d{4}\)", text, re.MULTILINE)
    assert re.search(
        r"^fair-0, even-0: cannot tell with this data: a difference below 0\.\d{4} would not be seen; "
        "the tie ranges overlap: a tool that breaks ties by order could report either first$",
        text,
        re.MULTILINE,
    )
    assert re.search(r"^good-0 +1 +0\.\d{4} ± 0\.\d{4} .* a$", text, re.MULTILINE)
    assert re.search(r"^fair-0 .* b$", text, re.MULTILINE)
    assert "60 queries in all methods" in text
    assert "one run of good-0" in text


def test_several_files_are_runs_of_one_method() -> None:
    text = shown(runs("good"), runs("fair"), "--json", "runs.json")
    stored = json.loads(Path("runs.json").read_text("utf-8"))
    assert [(each["name"], each["runs"]) for each in stored["methods"]] == [("good", 3), ("fair", 3)]
    values = {name: [er.Result.from_json(f"{name}-{n}.json").mean["AP"] for n in range(3)] for name in ("good", "fair")}
    assert stored["pairs"][0]["value"] == pytest.approx(np.mean(values["fair"]) - np.mean(values["good"]))
    assert stored["pairs"][0]["answer"] in text
    assert "one run of" not in text


def test_against_the_first_compares_nothing_else() -> None:
    text = shown("good-0.json", "fair-0.json", "even-0.json", "--against")
    assert "fair-0 – good-0" in text
    assert "even-0 – fair-0" not in text
    assert "letters" not in text


def test_runs_can_be_paired_instead_of_queries() -> None:
    text = shown(runs("good"), runs("fair"), "--by-run")
    assert "3 runs in all methods; Student's t, run by run" in text


def test_markdown_and_latex_hold_what_the_text_holds() -> None:
    files = ("good-0.json", "a_b|c=fair-0.json")
    rows = [line.split() for line in shown(*files).splitlines() if line.startswith(("good-0 ", "a_b|c "))]
    markdown, latex = shown(*files, "--markdown"), shown(*files, "--latex")
    assert "| good-0 | 1 | " in markdown
    assert "a_b\\|c" in markdown
    assert all(line.startswith(("|", "-")) for line in markdown.splitlines() if line)
    assert r"\begin{tabular}{lrrrrrr}" in latex
    assert r"a\_b|c & 1 & " in latex
    assert r" $\pm$ " in latex
    assert all(line.startswith("%") for line in latex.splitlines() if "±" in line or "…" in line)
    for number in (word for row in rows[:2] for word in row if re.fullmatch(r"0\.\d{4}", word)):
        assert number in markdown
        assert number in latex


def test_a_printed_table_is_held_against_our_results() -> None:
    Path("table.csv").write_text("method,bits,value\nGood-0,12,60.0\nFair-0,12,59.9\nFair-0,24,70\nother,12,50\n")
    text = shown("good-0.json", "fair-0.json", "--published", "table.csv", "--where", "bits=12", "--json", "gaps.json")
    assert re.search(r"^good-0 – fair-0 +inside our tie range and our interval +0\.0010 ", text, re.MULTILINE)
    assert "in table.csv only: other" in text
    [gap] = json.loads(Path("gaps.json").read_text("utf-8"))["published"]
    assert gap["verdict"] == "inside our tie range and our interval"


def test_what_was_not_evaluated_alike_is_told() -> None:
    stored = json.loads(Path("fair-0.json").read_text("utf-8"))
    stored["provenance"]["ties"] = "index"
    Path("unlike.json").write_text(json.dumps(stored))
    assert "not evaluated alike: ties is good-0 expected, unlike index" in shown("good-0.json", "unlike.json")


def test_a_file_may_have_signs_in_its_name() -> None:
    Path("a=b,c.json").write_text(Path("fair-0.json").read_text())
    assert "a=b,c – good-0" in shown("good-0.json", "a=b,c.json")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["good-0.json"], "at least 2 methods; got 1"),
        (["good-0.json", "none.json"], "none.json: no such file"),
        (["good-0.json", "."], ".: is a folder, not a file"),
        (["good-0.json", "x="], ".: is a folder, not a file"),
        (["good-0.json", "good-0.json"], "methods must have different names; got good-0 twice"),
        (["good-0.json", "fewer.json"], "on the same queries; got good-0 60, fewer 50"),
        (["good-0.json", "x=fair-0.json,fewer.json"], "values of x must be numbers, as many in every run"),
        (["good-0.json", "fair-0.json", "--metric", "AP@7"], "results of good-0 must hold AP@7; got AP, P@5"),
        (["good-0.json", "fair-0.json", "--metric", "quality"], "no metric is called 'quality'"),
        (["good-0.json", "fair-0.json", "--by-run"], "at least 2 runs"),
        (["good-0.json", "fair-0.json", "--markdown", "--latex"], "cannot both be printed"),
        (["good-0.json", "fair-0.json", "--confidence", "95"], "confidence must lie between 0 and 1"),
        (["good-0.json", "fair-0.json", "--published", "none.csv"], "none.csv: cannot be read"),
        (["good-0.json", "fair-0.json", "--published", "strange.csv"], "strange.csv: must name two of the methods"),
        (
            ["good-0.json", "fair-0.json", "--published", "strange.csv", "--where", "bits"],
            "--where must be COLUMN=WORD",
        ),
        (["good-0.json", "fair-0.json", "--where", "bits=12"], "it needs --published"),
        (["good-0.json", "fair-0.json", "--json", "none/out.json"], "the folder none does not exist"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], line: str) -> None:
    Path("strange.csv").write_text("method,value\nA,0.5\nB,0.6\n")
    done = run(*arguments)
    assert done.exit_code != 0
    assert line in str(done.exception)
    assert "\n" not in str(done.exception)


def damaged(stored: dict, *keys: str, value: object) -> str:
    place = stored
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    return json.dumps(stored)


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: "{}",
        lambda text: "[" * 100_000,
        lambda text: "\ud800".encode("utf-8", "surrogatepass"),
        lambda text: damaged(json.loads(text), "spreads", value=[]),
        lambda text: damaged(json.loads(text), "spreads", "AP", value={"mean": [1]}),
        lambda text: damaged(json.loads(text), "spreads", "AP", "expected", value=["x"] * 60),
        lambda text: damaged(json.loads(text), "spreads", "AP", "expected", value=[0.5]),
        lambda text: damaged(json.loads(text), "spreads", "AP", "best", value=0.5),
        lambda text: damaged(json.loads(text), "provenance", value={}),
        lambda text: damaged(json.loads(text), "provenance", "metrics", value=["AP"]),
        lambda text: damaged(json.loads(text), "provenance", "metrics", value={"AP": "AP", "R@1": "R@1"}),
        lambda text: damaged(json.loads(text), "clusters", value=None),
    ],
)
def test_a_damaged_result_is_one_line(damage) -> None:
    made = damage(Path("fair-0.json").read_text("utf-8"))
    Path("damaged.json").write_bytes(made if isinstance(made, bytes) else made.encode())
    done = run("good-0.json", "damaged.json")
    wanted = "damaged.json: is not a result that evenrank evaluate --json wrote, or not all of it"
    assert str(done.exception) == wanted


def test_an_infinite_value_is_refused() -> None:
    text = Path("fair-0.json").read_text("utf-8")
    Path("infinite.json").write_text(damaged(json.loads(text), "spreads", "AP", "expected", value=[float("inf")] * 60))
    assert "values of infinite must be finite" in str(run("good-0.json", "infinite.json").exception)


def test_bad_input_exits_with_2_and_writes_nothing(stored: Path) -> None:
    command = [sys.executable, "-m", "evenrank.cli", "compare", "good-0.json", "none.json", "--json", "out.json"]
    done = subprocess.run(command, cwd=stored, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "evenrank: none.json: no such file\n"
    assert not (stored / "out.json").exists()
