"""`evenrank demo`: what it prints and writes, and that its table shows what it is for."""

from __future__ import annotations

from itertools import islice

import pytest
from typer.testing import CliRunner

import evenrank as er
from evenrank.cli import app
from evenrank.demo import BITS, COUNT, runs

Shown = tuple[str, dict[str, er.Result]]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """Return what the demo prints, and the results that it writes."""
    folder = tmp_path_factory.mktemp("demo")
    done = CliRunner().invoke(app, ["demo", "--out", str(folder)])
    assert done.exit_code == 0, (done.output, done.exception)
    assert (folder / "table.txt").read_text("utf-8").strip() in done.output
    return done.output, {path.stem: er.Result.from_json(path) for path in folder.glob("*.json")}


def test_what_is_written_is_what_is_shown(shown: Shown) -> None:
    output, results = shown
    assert len(results) == COUNT
    for name, result in results.items():
        assert f"{result.mean['AP']:.4f}" in output, name
        assert f"{result.worst['AP']:.4f} … {result.best['AP']:.4f}" in output, name
    assert "200 queries against 1,597 items" in output


@pytest.mark.parametrize("bits", BITS)
def test_methods_that_know_more_find_more(shown: Shown, bits: int) -> None:
    chance, lsh, itq, mihash, talr = (
        shown[1][f"{name}-{bits}"].mean["AP"] for name in ("Chance", "LSH", "ITQ", "MIHash", "TALR-AP")
    )
    assert 0.09 < chance < 0.12
    assert chance + 0.2 < lsh < itq < mihash < talr


def test_the_shorter_the_code_the_more_ties_decide(shown: Shown) -> None:
    for name in ("Chance", "LSH", "ITQ", "MIHash", "TALR-AP"):
        spans = [shown[1][f"{name}-{bits}"] for bits in BITS]
        widths = [result.best["AP"] - result.worst["AP"] for result in spans]
        assert widths == sorted(widths, reverse=True)
    trivial = shown[1]["Trivial-solution-10"]
    assert trivial.mean["AP"] > 0.9  # with ten codes in use, and most first ranks left to chance
    assert trivial.ties["Undecided"] > 0.5


def test_the_seed_decides() -> None:
    first, again, other = ([run.result.mean["AP"] for run in islice(runs(seed), 3)] for seed in (1, 1, 2))
    assert first == again
    assert all(one != another for one, another in zip(first, other, strict=True))
