"""`evenrank report`: what it writes where, and one line for whatever is wrong."""

import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenrank.benchmark.store import Store
from evenrank.cli import app
from tests.report.stores import plan, ranked


def report(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["report", *map(str, arguments)])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def refused(*arguments: object) -> str:
    """Return the one line that the command line makes of what is wrong."""
    done = CliRunner().invoke(app, ["report", *map(str, arguments)])
    assert isinstance(done.exception, ValueError), done.output
    assert "\n" not in str(done.exception)
    return str(done.exception)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    ranked(tmp_path, {"a": 0.5, "b": 0.6})
    return tmp_path / "store.sqlite"


def test_the_last_line_is_the_path_of_the_page(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert report(store).splitlines()[-1] == "report: store.html"
    assert "<h1>Digits, small</h1>" in (tmp_path / "store.html").read_text("utf-8")
    out = report(store, "--out", tmp_path / "page.html")
    assert out == f"report: {tmp_path / 'page.html'}\n"
    assert (tmp_path / "page.html").read_text("utf-8") == (tmp_path / "store.html").read_text("utf-8")


def test_a_folder_gets_tables_and_figures_and_a_place_in_the_index(store: Path, tmp_path: Path) -> None:
    out, figures, index = (tmp_path / name for name in ("out", "figures", "many"))
    text = report(store, "--out", out, "--figures", figures, "--index", index)
    assert {path.name for path in out.iterdir()} == {"report.html", "leaderboard.md", "leaderboard.tex", "mteb"}
    assert len([*(out / "mteb").rglob("*.json")]) == 2
    assert {path.suffix for path in figures.iterdir()} == {".png", ".pdf", ".svg"}
    assert f"index: {index / 'index.html'}" in text
    assert text.splitlines()[-1] == f"report: {out / 'report.html'}"
    [page] = [path.name for path in index.iterdir() if path.name != "index.html"]
    assert page.startswith("digits-small-")
    assert f'href="{page}"' in (index / "index.html").read_text("utf-8")


def test_of_several_plans_one_must_be_named(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite")
    for title, repeats in (("One", 1), ("Two", 2)):
        store.add(plan(title=title, repeats=repeats))
    assert "--plan must name one of the store's plans, or --index a folder for all: One (" in refused(store.address)
    report(store.address, "--plan", "Two", "--out", tmp_path / "two.html")
    assert "<h1>Two</h1>" in (tmp_path / "two.html").read_text("utf-8")
    assert "got 'Three'" in refused(store.address, "--plan", "Three")


def test_an_index_takes_all_plans_of_a_store(tmp_path: Path) -> None:
    store, index = Store(tmp_path / "store.sqlite"), tmp_path / "many"
    for title, repeats in (("One", 1), ("Two", 2)):
        store.add(plan(title=title, repeats=repeats))
    assert report(store.address, "--index", index) == f"index: {index / 'index.html'}\n"
    assert sorted(path.name[:4] for path in index.iterdir()) == ["inde", "one-", "two-"]
    assert "--plan must name one" in refused(store.address, "--index", index, "--out", tmp_path / "page.html")
    assert "metric must be one of the plan's" in refused(store.address, "--index", tmp_path / "no", "--metric", "nDCG")
    assert not (tmp_path / "no").exists()


def test_what_is_wrong_is_one_line(store: Path, tmp_path: Path) -> None:
    assert "none.sqlite: no such store" in refused(tmp_path / "none.sqlite")
    assert "metric must be one of the plan's, AP; got 'nDCG'" in refused(store, "--metric", "nDCG")
    assert "the folder" in refused(store, "--out", tmp_path / "nowhere" / "page.html")
    assert "must be a folder, or a file that ends in .html" in refused(store, "--out", store)
    assert "claims.csv: no such file" in refused(store, "--claims", tmp_path / "claims.csv")
    (tmp_path / "claims.csv").write_text("paper,year\nA,2019\n")
    assert "claims.csv: line 2: must have a method" in refused(store, "--claims", tmp_path / "claims.csv")
    with sqlite3.connect(store) as connection:
        connection.execute("update jobs set metrics = 'no JSON'")
    assert "store.sqlite: the store is damaged: " in refused(store)
