"""DTSH trains the triplet likelihood, its rate falling by a third after every fifth."""

from evenrank.methods.hashing.dtsh import DTSH
from evenrank.objectives.dtsh import DTSH as Likelihood  # noqa: N811
from evenrank.training import Training
from tests.methods.hashing.trained import RATES, check_by_hand, check_it_learns


def test_it_is_the_loop_with_the_authors_settings() -> None:
    settings = Training(
        epochs=5,
        batch=128,
        learning_rate=0.02,
        weight_decay=5e-4,
        rates=RATES,
        milestones=(1, 2, 3, 4),
        factor=2 / 3,
        seed=3,
    )
    method = DTSH(bits=12, epochs=5, learning_rate=0.02, margin=0.4, positives=5, negatives=20, seed=3)
    check_by_hand(method, Likelihood(margin=0.4, positives=5, negatives=20, seed=3), settings)


def test_digits_are_found_better_than_by_random_projections() -> None:
    check_it_learns(DTSH(bits=16, epochs=8, negatives=50))
