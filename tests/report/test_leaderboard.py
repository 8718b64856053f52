"""The rows of the leaderboard, computed a second time from the store by other means."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import sem, t

from evenrank.benchmark.jobs import Job
from evenrank.benchmark.store import Store
from evenrank.report.contents import Contents, read
from evenrank.report.leaderboard import LETTERED, board
from tests.report.stores import METHODS, Stored, finals, half_width, per_query, plan, ranked, written


def test_cells_are_means_over_repeats_with_students_interval_and_tie_range(stored: Stored, contents: Contents) -> None:
    rows, queries = finals(stored[2] / "store.sqlite"), per_query(stored[2] / "store.sqlite")
    ranks = board(contents).rows
    assert len(ranks) == 7
    for row in ranks:
        mine = [each for each in rows if (each["method"], each["width"]) == (row.study.method, row.study.width)]
        what = row.study.searched
        for metric, cell in row.cells.items():
            values = np.array([each["metrics"][what][metric] for each in mine])
            ties = [each["exhibits"]["ties"][what][metric] for each in mine]
            assert cell.mean == pytest.approx(values.mean())
            assert cell.half == pytest.approx(half_width([queries[each["key"], f"{what}: {metric}"] for each in mine]))
            assert cell.worst == pytest.approx(np.mean([each["worst"] for each in ties]))
            assert cell.best == pytest.approx(np.mean([each["best"] for each in ties]))
        costs = [each["exhibits"]["costs"] for each in mine]
        assert row.fit == pytest.approx(np.mean([each["fit"] for each in costs]))
        assert row.size == pytest.approx(np.mean([each["bytes"] for each in costs]))


def test_the_best_comes_first_and_any_metric_may_rank(contents: Contents) -> None:
    for metric in contents.plan.metrics:
        ranks = board(contents, metric)
        values = [row.cells[metric].mean for row in ranks.rows]
        assert values == sorted(values, reverse=True)
        assert ranks.metric == metric
    with pytest.raises(ValueError, match=r"metric must be one of the plan's, AP, P@10, LGAP@2; got 'nDCG'"):
        board(contents, "nDCG")


def test_letters_and_badges_say_who_cannot_be_told_from_whom(tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {"low": 0.3, "first": 0.7, "second": 0.699, "middle": 0.5})
    rows = board(read(store, chosen)).rows
    assert {row.study.label for row in rows[:2]} == {"first", "second"}
    assert [row.study.label for row in rows[2:]] == ["middle", "low"]
    assert [row.letters for row in rows] == ["a", "a", "b", "c"]
    assert [row.cells["AP"].standing for row in rows] == [{"best": ""}, {"near": ""}, {}, {}]


def test_tie_ranges_that_overlap_are_named_on_both_sides(tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {"a": 0.70, "b": 0.68, "c": 0.6})  # each range reaches 0.02 to either side
    assert {row.study.label: row.overlaps for row in board(read(store, chosen)).rows} == {
        "a": ("b",),
        "b": ("a",),
        "c": (),
    }


def test_methods_are_compared_at_their_width_and_those_without_at_every(contents: Contents) -> None:
    rows = {(row.study.method, row.study.width): row for row in board(contents).rows}
    assert rows["hashing/trivial", None].cells["AP"].standing == {"best": ""}
    assert rows["hashing/itq", 8].cells["LGAP@2"].standing == {"best": ""}
    assert rows["hashing/trivial", None].cells["LGAP@2"].standing["best"] == "16"
    assert [rows["hashing/itq", width].letters for width in (8, 16)] == ["b", "b"]
    assert all("a" in row.letters for key, row in rows.items() if key[0] == "hashing/trivial")


def test_groups_too_large_for_letters_have_badges_all_the_same(tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {f"method {place}": 0.5 + place / 100 for place in range(LETTERED + 1)})
    ranks = board(read(store, chosen))
    assert not ranks.lettered
    assert not any(row.letters for row in ranks.rows)
    assert ranks.rows[0].cells["AP"].standing == {"best": ""}
    assert ranks.rows[-1].cells["AP"].standing == {}


def test_a_single_run_has_the_interval_of_its_queries(tmp_path: Path) -> None:
    chosen, store = ranked(tmp_path, {"a": 0.5, "b": 0.6}, repeats=1)
    found = read(store, chosen)
    for row in board(found).rows:
        [values] = row.study.per_query("AP")
        interval = t.interval(0.95, 59, values.mean(), sem(values))
        assert (row.cells["AP"].mean + row.cells["AP"].half) == pytest.approx(interval[1])


def test_where_nothing_varies_there_is_no_interval(tmp_path: Path) -> None:
    chosen, store = plan(methods=[{"name": METHODS[1]}], bits=[8], repeats=2), Store(tmp_path / "store.sqlite")
    for repeat in range(2):
        means = {"AP": 0.5, "P@10": 0.4 + repeat / 10, "LGAP@2": 0.0}  # of one query each
        store.finish(chosen, Job("final", METHODS[1], 8, repeat), {}, written({"test": means}))
    [row] = board(read(store, chosen)).rows
    assert np.isnan(row.cells["AP"].half)
    assert row.cells["P@10"].half == pytest.approx(t.ppf(0.975, 1) * 0.05)  # of repeats alone


def test_controls_that_have_no_number_are_there_with_the_reason(tmp_path: Path, contents: Contents) -> None:
    assert board(contents).absent == []
    store = Store(tmp_path / "store.sqlite")
    assert [each.why for each in board(read(store, plan())).absent] == ["no run has finished yet"] * 2
    without = plan(methods=[{"name": METHODS[1]}])
    assert [(each.label, each.why) for each in board(read(store, without)).absent] == [
        ("Chance", "not run: hashing/chance is not in the plan"),
        ("Trivial solution", "not run: hashing/trivial is not in the plan"),
    ]
    embedding = plan(methods=[{"name": "embedding/pretrained_pca"}])
    assert {each.why for each in board(read(store, embedding)).absent} == {"there is none among embedding methods"}
