"""What is read of a store is what is in it; what is missing, failed, damaged or not there is said."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from evenrank.benchmark import compared
from evenrank.benchmark.jobs import Job
from evenrank.benchmark.store import Store
from evenrank.dataset import dataset
from evenrank.report.contents import Contents, chosen, read
from evenrank.report.page import page
from tests.report.stores import Stored, finals, finished, half_width, plan, ranked, written


def test_studies_hold_the_numbers_of_the_store(stored: Stored, contents: Contents) -> None:
    rows = finals(stored[2] / "store.sqlite")
    assert len(rows) == sum(len(study.repeats) for study in contents.studies) == 7 * 3
    for study in contents.studies:
        mine = [row for row in rows if (row["method"], row["width"]) == (study.method, study.width)]
        assert study.parameters == mine[0]["parameters"]
        assert study.seconds.tolist() == [row["seconds"] for row in mine]
        for metric, values in study.values.items():
            assert values.tolist() == [row["metrics"][study.searched][metric] for row in mine]
            ties = [row["exhibits"]["ties"][study.searched][metric] for row in mine]
            assert study.ties[metric]["best"].tolist() == [each["best"] for each in ties]
            assert study.ties[metric]["worst"].tolist() == [each["worst"] for each in ties]
            np.testing.assert_allclose(np.nanmean(study.per_query(metric), axis=1), values)
        assert study.costs["fit"].tolist() == [row["exhibits"]["costs"]["fit"] for row in mine]
        assert study.codes["utilisation"].tolist() == [
            row["exhibits"]["codes"][study.searched]["utilisation"] for row in mine
        ]


def test_folds_that_search_the_same_queries_are_runs_and_clusters_have_none(tmp_path: Path) -> None:
    folded = plan(
        protocol="class_disjoint(folds=2)",
        methods=[{"name": "embedding/pretrained_pca"}, {"name": "hashing/itq"}],
        dimensions=[4],
        bits=[4],
        metrics=["MAP@R", "NMI"],
        repeats=2,
    )
    store = finished(folded, tmp_path)
    found = read(store, folded).studies
    queries = int((dataset("digits").labels >= 5).sum())
    assert {(study.kind, study.searched): study.per_query("MAP@R").shape for study in found} == {
        ("embedding", "separated"): (2 * 2, queries),
        ("embedding", "concatenated"): (2, queries),
        ("hashing", "separated"): (2 * 2, queries),
    }
    for study in found:
        values = compared.per_query(folded, store, "MAP@R", 4, study.searched)[study.method]
        np.testing.assert_array_equal(study.per_query("MAP@R"), values)
        assert study.half_width("MAP@R") == pytest.approx(half_width([*values]))
        np.testing.assert_allclose(values.mean(), study.values["MAP@R"].mean())
        assert study.per_query("NMI").shape == (2, 0)
        assert 0 < study.values["NMI"].mean() < 1
    assert "NMI" in page(read(store, folded))


def test_methods_are_called_by_their_titles_as_long_as_these_differ(contents: Contents, tmp_path: Path) -> None:
    assert {study.method: study.label for study in contents.studies} == {
        "hashing/chance": "Chance",
        "hashing/lsh": "LSH",
        "hashing/itq": "ITQ",
        "hashing/trivial": "Trivial solution",
    }
    assert {study.label: study.control for study in contents.studies if study.control} == {
        "Chance": "chance",
        "Trivial solution": "trivial solution",
    }
    twice = plan(methods=[{"name": "hashing/lsh"}, {"name": "hashing/lsh", "label": "LSH"}], bits=[8], repeats=1)
    store = Store(tmp_path / "store.sqlite")
    store.add(twice)
    for title in ("hashing/lsh", "LSH"):
        metrics = dict.fromkeys(twice.metrics, 0.5)
        store.finish(twice, Job("final", title, 8, 0), {}, written({"test": metrics}))
    assert [study.label for study in read(store, twice).studies] == ["hashing/lsh", "LSH"]


def test_openings_and_provenance(stored: Stored, contents: Contents) -> None:
    assert [(each.study, each.times) for each in contents.openings if "itq" in each.study] == [
        ("hashing/itq/16", 3),
        ("hashing/itq/8", 3),
    ]
    assert [each.parameters for each in contents.openings if "itq" in each.study] == [
        {"iterations": 36},
        {"iterations": 28},
    ]
    rows = finals(stored[2] / "store.sqlite")
    assert rows[0]["provenance"]["data"] in contents.provenance.data
    assert contents.provenance.ended == max(row["provenance"]["finished"] for row in rows)


def test_a_run_that_is_not_finished_says_what_is_missing(tmp_path: Path) -> None:
    whole, store = plan(), Store(tmp_path / "store.sqlite")
    store.add(whole)
    metrics = dict.fromkeys(whole.metrics, 0.5)
    store.finish(whole, Job("final", "hashing/lsh", 8, 0), {}, written({"test": metrics}, 0.5))
    store.finish(whole, Job("final", "hashing/lsh", 8, 1), {}, written({}, traceback="Traceback:\nValueError: no"))
    store.finish(whole, Job("tune", "hashing/itq", 8, 0), {"iterations": 9}, written({"validation": metrics}, 0.5))
    found = read(store, whole)
    assert [study.key for study in found.studies] == ["hashing/lsh/8"]
    assert [(each.label, each.width, each.trials, each.repeats) for each in found.missing] == [
        ("Chance", 8, 0, 3),
        ("Chance", 16, 0, 3),
        ("LSH", 8, 0, 1),
        ("LSH", 16, 0, 3),
        ("ITQ", 8, 1, 3),
        ("ITQ", 16, 2, 3),
        ("Trivial solution", None, 2, 3),
    ]
    assert [(each.key, each.line) for each in found.failed] == [("hashing/lsh/8/repeat 1", "ValueError: no")]


def test_trials_are_means_over_folds_and_none_where_one_failed(tmp_path: Path) -> None:
    whole, store = plan(), Store(tmp_path / "store.sqlite")
    store.add(whole)
    for number, values in enumerate([(0.25, 0.75), (0.5, None)]):
        for fold, value in enumerate(values):
            job = Job("tune", "hashing/itq", 8, number, fold)
            store.finish(whole, job, {"iterations": number}, written({}, value, traceback="" if value else "x"))
    assert [(each.number, each.value, each.folds) for each in read(store, whole).trials] == [(0, 0.5, 2), (1, None, 2)]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("update jobs set metrics = '{\"test\": 3}'", "is damaged: "),
        ("update jobs set metrics = 'no JSON'", "is damaged: "),
        ('update jobs set metrics = \'{"test": {"P@1": 0.5}}\'', "is damaged: KeyError 'AP'"),
        ("update jobs set provenance = '[1]'", "is damaged: "),
        ("update exhibits set content = '7'", "is damaged: "),
        ("drop table jobs", "cannot be used: no such table: jobs"),
    ],
)
def test_a_damaged_store_is_one_clear_line(tmp_path: Path, damage: str, said: str) -> None:
    chosen_plan, store = ranked(tmp_path, {"a": 0.5, "b": 0.6})
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.execute(damage)
    with pytest.raises(ValueError, match=f"store.sqlite: the store {said}") as error:
        read(store, chosen_plan)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "damage", ["update job_values set content = substr(content, 1, 40)", "delete from job_values where key like 'a/%'"]
)
def test_damaged_values_of_queries_are_one_clear_line(tmp_path: Path, damage: str) -> None:
    chosen_plan, store = ranked(tmp_path, {"a": 0.5, "b": 0.6})
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.execute(damage)
    found = read(store, chosen_plan)
    with pytest.raises(ValueError, match=r"store\.sqlite: the store is damaged: "):
        found.studies[0].per_query("AP")


def test_a_store_that_is_not_there_or_none_at_all(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"none\.sqlite: no such store; begin with evenrank bench run"):
        Store.existing(str(tmp_path / "none.sqlite"))
    (tmp_path / "text.sqlite").write_text("a text, not a database" * 100)
    with pytest.raises(ValueError, match=r"text\.sqlite: .*file is not a database"):
        Store.existing(str(tmp_path / "text.sqlite"))
    with pytest.raises(ValueError, match=r"empty\.sqlite: holds no plan; begin with evenrank bench run"):
        Store.existing(Store(tmp_path / "empty.sqlite").address)
    (tmp_path / "nothing.sqlite").touch()
    with sqlite3.connect(tmp_path / "other.sqlite") as connection:
        connection.execute("create table evens (rank integer)")
    for name in ("nothing.sqlite", "other.sqlite"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(ValueError, match=rf"{name}: holds no plan; begin with evenrank bench run"):
            Store.existing(str(tmp_path / name))
        assert (tmp_path / name).read_bytes() == before


def test_a_plan_is_chosen_by_title_or_hash(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite")
    first, second = plan(title="One"), plan(title="Two", repeats=2)
    for each in (first, second):
        store.add(each)
    assert chosen(store, "Two") == chosen(store, second.hash) == chosen(store, second.hash[:8]) == (second,)
    assert len(chosen(store)) == 2
    with pytest.raises(ValueError, match=r"plan must be one of One \(.{8}\), Two \(.{8}\); got 'Three'"):
        chosen(store, "Three")


def test_a_store_of_a_version_that_called_plans_otherwise_is_refused(tmp_path: Path) -> None:
    store = Store(tmp_path / "store.sqlite")
    store.add(plan())
    with sqlite3.connect(tmp_path / "store.sqlite") as connection:
        connection.execute("update plans set plan = 'abcdefgh12'")
    with pytest.raises(ValueError, match="another version of evenrank wrote 'Digits, small', and knew it as abcdefgh"):
        chosen(store)
