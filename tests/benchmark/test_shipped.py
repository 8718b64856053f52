"""The plans that come with the package are right, and say what of their paper they follow."""

from pathlib import Path

import pytest

from evenrank.benchmark.jobs import count
from evenrank.benchmark.plan import Plan, tuned
from evenrank.benchmark.shipped import plan_file, read_plan, shipped
from evenrank.dataset import loader

PLANS = shipped()


def test_there_is_one_of_every_paper() -> None:
    assert {f"paper{number}" for number in range(1, 6)} <= {name.split("_")[0] for name in PLANS}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_right_and_expands(name: str) -> None:
    plan = read_plan(name)
    assert loader(plan.dataset).title
    assert count(plan, 1) >= len(plan.methods) * plan.repeats
    assert any(plan.trials(each) for each in plan.methods) == ("untuned" not in name and name != "demo")
    assert PLANS[name].read_text("utf-8").startswith("# ")


def test_every_loss_of_paper_5_trains_alike() -> None:
    plan = read_plan("paper5_cub200")
    assert len(plan.methods) == 15
    assert plan.uneven == []
    searched = [tuned(plan, each)["learning_rate"].search for each in plan.methods[1:]]
    assert set(searched) == {(1e-6, 1e-3)}


def test_a_plan_is_found_by_name_or_by_path(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(PLANS["digits"].read_text("utf-8"), "utf-8")
    assert plan_file(own) == own
    assert read_plan(str(own)) == Plan.read(PLANS["digits"])
    with pytest.raises(ValueError, match=r"no plan of evenrank's: demo, digits, .* did you mean digits"):
        plan_file("digit")
