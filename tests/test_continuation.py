"""Schedules of alpha, and the objectives that take them."""

from itertools import pairwise

import pytest

from evenrank.continuation import Continuation
from evenrank.objectives.dsh import DSH
from evenrank.objectives.hashnet import HashNet
from evenrank.objectives.metric_learning.multi_similarity import MultiSimilarity
from evenrank.objectives.tie_aware_ap import TieAwareAP
from tests.objectives.examples import class_batch, outputs_of


def test_the_schedule_of_hashnet_is_a_root_refreshed_every_200_steps() -> None:
    schedule = Continuation.hashnet()
    for step in (0, 150, 200, 399, 400, 9_999):
        assert schedule.alpha(step) == pytest.approx((1 + 0.005 * (step // 200 * 200)) ** 0.5)


def test_a_geometric_schedule_grows_by_one_factor_to_its_end() -> None:
    schedule = Continuation.geometric(start=2, end=40, steps=30)
    values = [schedule.alpha(step) for step in range(31)]
    factors = [after / before for before, after in pairwise(values)]
    assert values[0] == 2
    assert values[-1] == pytest.approx(40)
    assert factors == pytest.approx([20 ** (1 / 30)] * 30)
    assert schedule.alpha(10**9) == pytest.approx(40)


def test_a_schedule_without_an_end_goes_on_to_a_million() -> None:
    assert Continuation(growth=0.1).alpha(100) == pytest.approx(1.1**100)
    assert Continuation(growth=0.1).alpha(10**9) == pytest.approx(1e6)  # as good as signs, and a number
    assert Continuation(growth=0.1, power=300).alpha(10**9) == pytest.approx(1e6)


@pytest.mark.parametrize("objective", [HashNet(), TieAwareAP()], ids=["HashNet", "TieAwareAP"])
def test_it_sets_alpha_and_the_objective_follows(objective: HashNet | TieAwareAP) -> None:
    outputs, batch = outputs_of(6, 8), class_batch([0, 1, 0, 1, 2, 0])
    before = objective(outputs, batch).item()
    Continuation.geometric(end=40, steps=10).apply(objective, 10)
    assert objective.alpha == pytest.approx(40)
    assert objective(outputs, batch).item() == pytest.approx(type(objective)(alpha=40.0)(outputs, batch).item())
    assert objective(outputs, batch).item() != before


@pytest.mark.parametrize("objective", [DSH(), MultiSimilarity()], ids=["DSH", "MultiSimilarity"])
def test_objectives_that_relax_no_signs_are_refused(objective: DSH | MultiSimilarity) -> None:
    with pytest.raises(ValueError, match=rf"tanh\(alpha · outputs\); {type(objective).__name__} is not one"):
        Continuation.hashnet().apply(objective, 1)


def test_schedules_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="growth of Continuation must be a number of at least 0"):
        Continuation(growth=-1)
    with pytest.raises(ValueError, match="end of Continuation must be at least start, 2; got 1"):
        Continuation(growth=1, start=2, end=1)
    with pytest.raises(ValueError, match=r"must grow over steps; got 1\.0 to 40 in 0 steps"):
        Continuation.geometric(end=40, steps=0)
