"""`evenrank demo`: what it prints and writes."""

from pathlib import Path

from typer.testing import CliRunner

import evenrank as er
from evenrank.cli import app


def test_demo_shows_the_tie_break_range_and_writes_what_it_shows(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["demo", "--out", str(tmp_path / "demo")])
    assert done.exit_code == 0, done.output
    results = {path.stem: er.Result.from_json(path) for path in (tmp_path / "demo").glob("*.json")}
    assert len(results) == 14
    for name, result in results.items():
        assert f"{result.worst['AP']:.4f} … {result.best['AP']:.4f}" in done.output, name
    short, long = results["random-projection-8"], results["random-projection-64"]
    assert short.best["AP"] - short.worst["AP"] > 4 * (long.best["AP"] - long.worst["AP"])
    assert (tmp_path / "demo" / "table.txt").read_text().strip() in done.output


def test_the_seed_decides(tmp_path: Path) -> None:
    first, again, other = (CliRunner().invoke(app, ["demo", "--seed", seed]).output for seed in ("1", "1", "2"))
    assert first == again != other
