"""Tables for papers and for other programs: the store's numbers, in each program's own form."""

import json
import re
from math import isfinite
from pathlib import Path

import pytest

from evenrank.benchmark.jobs import Job
from evenrank.benchmark.store import Store
from evenrank.report.contents import Contents, read
from evenrank.report.exports import mteb
from evenrank.report.exports.latex import latex
from evenrank.report.exports.markdown import markdown
from evenrank.report.index import index
from evenrank.report.leaderboard import board
from evenrank.report.page import page
from evenrank.report.summary import read as read_summary
from tests.report.stores import Stored, finals, plan, ranked, written


def test_markdown_holds_every_row_best_first(contents: Contents) -> None:
    ranks = board(contents)
    head, rule, *lines = markdown(contents, ranks).splitlines()
    assert head.startswith("| method | width | searched | AP | AP over ties |")
    assert len({line.count("|") for line in (head, rule, *lines)}) == 1
    for line, row in zip(lines, ranks.rows, strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert cells[0] == row.study.label
        cell = row.cells["AP"]
        half = f" ± {cell.half:.4f}" if isfinite(cell.half) else ""  # none where all repeats are alike
        assert cells[3].strip("*") == f"{cell.mean:.4f}{half}"
        assert cells[4] == f"{cell.worst:.4f} … {cell.best:.4f}"
    assert "LGAP@2 over ties" not in head  # no order of ties changes it
    assert lines[0].split("|")[4].strip().startswith("**")


def test_latex_is_one_row_a_method_and_as_many_columns_as_it_says(contents: Contents) -> None:
    text = latex(contents, board(contents))
    columns = re.match(r"\\begin\{tabular\}\{(\w+)\}\n\\toprule\n", text)
    assert columns is not None
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 1 + len(contents.studies)
    assert {row.count(" & ") for row in rows} == {len(columns[1]) - 1}
    assert text.endswith("\\bottomrule\n\\end{tabular}\n")


@pytest.mark.parametrize("label", ["a_b & 50% #1 {x} ~^ \\cmd $y$", "a | b * c ` <script> [link](url)"])
def test_signs_that_mean_something_are_escaped(tmp_path: Path, label: str) -> None:
    chosen, store = ranked(tmp_path, {label: 0.5, "other": 0.6})
    found = read(store, chosen)
    in_latex = latex(found, board(found)).splitlines()[-3]
    assert not re.search(r"(?<!\\)[%#_]", in_latex)
    assert in_latex.count(" & ") == latex(found, board(found)).splitlines()[2].count(" & ")
    in_markdown = markdown(found, board(found)).splitlines()[-1]
    assert len(re.findall(r"(?<!\\)\|", in_markdown)) == 8
    assert "<script>" not in in_markdown


def test_mteb_files_hold_what_mteb_reads(contents: Contents, stored: Stored, tmp_path: Path) -> None:
    paths = mteb.write(tmp_path, contents, "P@10")
    assert len(paths) == 7
    rows = finals(stored[2] / "store.sqlite")
    for path in paths:
        model, revision, task = path.relative_to(tmp_path).parts
        found = json.loads(path.read_text("utf-8"))
        assert revision == contents.plan.hash
        assert task == f"{found['task_name']}.json" == "digits-per_class_queries=5_training=20.json"
        assert found["dataset_revision"] == rows[0]["provenance"]["data"]
        assert set(found) == {
            *("dataset_revision", "task_name", "mteb_version", "scores", "evaluation_time", "kg_co2_emissions")
        }
        [scores] = found["scores"]["test"]
        mine = [row for row in rows if mteb._plain(f"{row['method']}-{row['width']}".removesuffix("-None")) == model]
        values = [row["metrics"][scores["hf_subset"]]["P@10"] for row in mine]
        assert scores["main_score"] == scores["P@10"] == pytest.approx(sum(values) / 3)
        assert [each["P@10"] for each in scores["scores_per_experiment"]] == values
        assert scores["languages"] == ["zxx-Zxxx"]


def test_mteb_has_a_subset_for_everything_searched_and_none_without_a_score(tmp_path: Path) -> None:
    chosen, store = plan(metrics=["AP"], bits=[8], repeats=1), Store(tmp_path / "store.sqlite")
    found = {"image to text": {"AP": 0.25}, "text to image": {"AP": 0.5}, "nothing": {"AP": float("nan")}}
    store.finish(chosen, Job("final", "hashing/lsh", 8, 0), {}, written(found))
    [path] = mteb.write(tmp_path, read(store, chosen), "AP")
    scores = json.loads(path.read_text("utf-8"))["scores"]["test"]
    assert [(each["hf_subset"], each["main_score"]) for each in scores] == [
        ("image to text", 0.25),
        ("text to image", 0.5),
    ]


def test_a_page_carries_a_summary_and_the_index_lists_it(contents: Contents, tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(page(contents), encoding="utf-8")
    (tmp_path / "stranger.html").write_text('<script id="summary">{"title": 3}</script>', encoding="utf-8")
    found = read_summary(tmp_path / "one.html")
    assert found is not None
    assert (found.title, found.missing, found.failed) == ("Digits, small", 0, 0)
    rows = board(contents).rows
    for said, row in zip(found.rows, rows, strict=True):
        cell = row.cells["AP"]
        assert (said.method, said.width, said.searched) == (row.study.label, row.study.width, row.study.searched)
        assert (said.mean, said.worst, said.best, said.standing) == (cell.mean, cell.worst, cell.best, cell.standing)
        assert said.half == pytest.approx(cell.half, abs=0, nan_ok=True)
    assert read_summary(tmp_path / "stranger.html") is None
    text = index(tmp_path).read_text("utf-8")
    assert 'href="one.html"' in text
    assert "stranger" not in text
    assert all(f'data-number="{row.cells["AP"].mean!r}"' in text for row in rows)
    assert 'href="one.html"' in index(tmp_path).read_text("utf-8")  # its own page is passed over


def test_an_index_of_nothing_says_so(tmp_path: Path) -> None:
    text = index(tmp_path).read_text("utf-8")
    assert "No report lies in this folder." in text
    assert 'id="leaderboard"' not in text


def test_values_that_are_undefined_go_through_the_summary(tmp_path: Path) -> None:
    chosen, store = plan(metrics=["AP"], bits=[8], repeats=1), Store(tmp_path / "store.sqlite")
    store.finish(chosen, Job("final", "hashing/lsh", 8, 0), {}, written({"</script>": {"AP": float("nan")}}))
    (tmp_path / "one.html").write_text(page(read(store, chosen)), encoding="utf-8")
    found = read_summary(tmp_path / "one.html")
    assert found is not None
    [row] = found.rows
    assert (row.searched, isfinite(row.mean)) == ("</script>", False)
    assert "&lt;/script&gt;" in index(tmp_path).read_text("utf-8")
