"""Plans are checked before anything runs."""

from pathlib import Path

import pytest

from evenrank.benchmark.plan import Plan, tuned
from tests.benchmark.plans import PLAN, written


def test_a_plan_says_who_is_tuned_and_how_often(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path))
    lsh, itq = plan.methods
    assert not tuned(lsh)
    assert set(tuned(itq)) == {"iterations"}
    assert (plan.trials(lsh), plan.trials(itq), plan.judge) == (0, 2, "AP")
    assert plan.uneven == []


def test_a_fixed_keyword_is_not_tuned(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path, PLAN + "fixed = { iterations = 5 }\n"))
    assert plan.trials(plan.methods[1]) == 0


def test_a_budget_of_its_own_is_said(tmp_path: Path) -> None:
    plan = Plan.read(written(tmp_path, PLAN + "trials = 9\n"))
    assert plan.uneven == ["hashing/itq has 9 trials, others 2"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("hashing/itq", "hashing/itqq", "did you mean hashing/itq"),
        ('"AP", "P@10"', '"APP"', "APP"),
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
