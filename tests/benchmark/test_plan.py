"""Plans are checked before anything runs."""

from pathlib import Path

import pytest

from evenrank.benchmark.plan import Plan, held, tuned
from tests.benchmark.plans import PLAN, written


def test_a_plan_says_who_is_tuned_and_how_often(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    lsh, itq = plan.methods
    assert not tuned(plan, lsh)
    assert set(tuned(plan, itq)) == {"iterations"}
    assert (plan.trials(lsh), plan.trials(itq), plan.judge) == (0, 2, "AP")
    assert plan.uneven == []


def test_a_fixed_keyword_is_not_tuned(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path, PLAN + "fixed = { iterations = 5 }\n"))
    assert plan.trials(plan.methods[1]) == 0


def test_a_budget_of_its_own_is_said(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path, PLAN + "trials = 9\n"))
    assert plan.uneven == ["hashing/itq has 9 trials, others 2"]


SHARED = (
    PLAN
    + """
[[methods]]
name = "hashing/talr_ap"

[[methods]]
name = "hashing/mihash"
"""
)


def test_what_the_plan_fixes_and_searches_holds_for_all_methods_that_have_it(tmp_path: Path) -> None:
    tables = "[fixed]\nepochs = 5\nbatch = 64\n[search]\nlearning_rate = [0.1, 0.2]\nrelaxation = ['exact', 'log']\n"
    plan = Plan.read(written(tmp_path, SHARED + tables))
    lsh, itq, talr, mihash = plan.methods
    assert held(plan, lsh) == {}
    assert held(plan, talr) == held(plan, mihash) == {"epochs": 5, "batch": 64}
    assert {name: each.search for name, each in tuned(plan, talr).items()} == {
        "learning_rate": (0.1, 0.2),
        "relaxation": ("exact", "log"),
        "alpha": (0.1, 40),
    }
    assert tuned(plan, mihash)["learning_rate"].log
    assert set(tuned(plan, itq)) == {"iterations"}
    assert plan.uneven == []


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ("fixed = { batch = 64 }\n", "batch is not the same for all: 250 for hashing/talr_ap, 64 for hashing/mihash"),
        (
            "fixed = { batch = 64, epochs = 3 }\n[fixed]\nbatch = 32\n",
            "batch is not the same for all: 32 for hashing/talr_ap, 64 for hashing/mihash\n"
            "epochs is not the same for all: searched for hashing/talr_ap, 3 for hashing/mihash",
        ),
    ],
)
def test_a_method_that_trains_otherwise_is_said(tmp_path: Path, tables: str, said: str) -> None:
    assert "\n".join(Plan.read(written(tmp_path, SHARED + tables)).uneven) == said


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ("[fixed]\nepoch = 5", "fixed: no method has the keyword 'epoch'; did you mean epochs"),
        ("[fixed]\nepochs = 0", "epochs of TALRAP must be a whole number of at least 1; got 0"),
        ("[fixed]\nbits = 8", "fixed: no method has the keyword 'bits'"),
        ("[search]\nlearning_rate = [-1, 1]", "search: learning_rate must be a number of at least 0; got -1"),
        ("[search]\nlearning_rate = [0, 1]", "searched by its logarithm and must begin above 0"),
        ("[search]\nlearning_rate = [1, 0.1]", "search: learning_rate must be [low, high]; got [1, 0.1]"),
        ("[search]\nrelaxation = ['no']", "search: relaxation must be one of exact"),
        ("[search]\nnetwork = ['linear']", "search: network has no range"),
        ("[fixed]\nepochs = 5\n[search]\nepochs = [1, 5]", "search: epochs cannot be searched and fixed"),
        ("fixed = { seed = 5 }", "seed of hashing/mihash cannot be fixed"),
    ],
)
def test_what_is_shared_stays_inside_what_methods_allow(tmp_path: Path, tables: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"plan\.toml") as caught:
        Plan.read(written(tmp_path, SHARED + tables + "\n"))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("hashing/itq", "hashing/itqq", "did you mean hashing/itq"),
        ('"AP", "P@10"', '"APP"', "APP"),
        ('"AP", "P@10"', '"usage"', "usage is several, and told of all codes anyway"),
        ("repeats = 2", "repeat = 2", "repeat: Extra inputs are not permitted"),
        ("repeats = 2", "repeats = 0", "repeats: Input should be greater than or equal to 1"),
        ("per_class(queries=5, training=20)", "per_clas", "per_clas"),
        ("hashing/lsh", "hashing/itq", "is there more than once"),
        ("title =", "title", "is not TOML"),
    ],
)
def test_what_is_wrong_is_one_line_with_the_file(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = written(tmp_path, PLAN.replace(old, new))
    with pytest.raises(ValueError, match=r"plan\.toml") as caught:
        Plan.read(path)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_hash_is_of_what_decides_the_numbers(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    assert Plan.read(written(tmp_path, PLAN.replace("Digits", "Other"))).hash == plan.hash
    assert Plan.read(written(tmp_path, PLAN.replace("bits = [8]", "bits = [9]"))).hash != plan.hash
