"""DSH trains the contrastive loss, its rate falling by 0.6 after every fifth."""

from evenrank.methods.hashing.dsh import DSH
from evenrank.objectives.dsh import DSH as Contrastive  # noqa: N811
from evenrank.training import Training
from tests.methods.hashing.trained import RATES, check_by_hand, check_it_learns

SCHEDULE = Training(epochs=5, batch=200, learning_rate=0.1, rates=RATES, milestones=(1, 2, 3, 4), factor=0.6, seed=3)


def test_it_is_the_loop_with_the_schedule_of_paper_2() -> None:
    method = DSH(bits=12, epochs=5, learning_rate=0.1, margin=1.5, quantisation=0.02, seed=3)
    check_by_hand(method, Contrastive(margin=1.5, quantisation=0.02), SCHEDULE)


def test_digits_are_found_better_than_by_random_projections() -> None:
    check_it_learns(DSH(bits=16, epochs=20))
