"""`evenrank demo`: what it prints and writes, and that its table shows what it is for."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from evenrank.benchmark.store import Store
from evenrank.cli import app
from evenrank.demo import STORE, plan
from evenrank.report.contents import Contents, read
from evenrank.report.leaderboard import Row, board

Shown = tuple[str, Path, Contents]
BITS = (12, 24, 48)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    """Return what the demo prints, where it writes, and what its store holds."""
    folder = tmp_path_factory.mktemp("demo")
    done = CliRunner().invoke(app, ["demo", "--out", str(folder)])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output, folder, read(Store(folder / STORE), plan())


def rows(shown: Shown) -> dict[tuple[str, int | None], Row]:
    return {(row.study.label, row.study.width): row for row in board(shown[2]).rows}


def test_what_is_stored_is_what_is_shown(shown: Shown) -> None:
    output, _, contents = shown
    assert len(contents.studies) == len(BITS) * 5 + 1
    assert not contents.missing
    for row in rows(shown).values():
        assert f"{row.cells['AP'].mean:.4f}" in output, row.study.key
        assert f"{row.cells['AP'].worst:.4f} … {row.cells['AP'].best:.4f}" in output, row.study.key


def test_it_ends_with_the_path_of_a_report_with_everything_in_it(shown: Shown) -> None:
    output, folder, contents = shown
    path = folder / "report.html"
    assert output.splitlines()[-1] == f"report: {path}"
    text = path.read_text("utf-8")
    assert path.stat().st_size < 10e6
    assert text.count("<tr") > len(contents.studies)
    for part in ("Tie-break ranges", "codes used", 'id="gallery-data"', "data:image/png;base64,"):
        assert part in text
    assert (folder / "leaderboard.md").is_file()


@pytest.mark.parametrize("bits", BITS)
def test_methods_that_know_more_find_more(shown: Shown, bits: int) -> None:
    chance, lsh, itq, mihash, talr = (
        rows(shown)[name, bits].cells["AP"].mean for name in ("Chance", "LSH", "ITQ", "MIHash", "TALR-AP")
    )
    assert 0.09 < chance < 0.12
    assert chance + 0.2 < lsh < itq < mihash < talr


def test_the_shorter_the_code_the_more_ties_decide(shown: Shown) -> None:
    for name in ("Chance", "LSH", "ITQ", "MIHash", "TALR-AP"):
        cells = [rows(shown)[name, bits].cells["AP"] for bits in BITS]
        widths = [cell.best - cell.worst for cell in cells]
        assert widths == sorted(widths, reverse=True)
    trivial = rows(shown)["Trivial solution", None]
    assert trivial.cells["AP"].mean > 0.9  # with ten codes in use, and most first ranks left to chance
    assert trivial.undecided > 0.5


def test_the_seed_decides() -> None:
    assert plan(1) == plan(1)
    assert plan(1).protocol != plan(2).protocol
    assert plan(1).hash != plan(2).hash != plan().hash
