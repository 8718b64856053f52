"""DPSH trains the pair likelihood against all training items, by plain SGD."""

from evenrank.methods.hashing.dpsh import DPSH
from evenrank.objectives.dpsh import DPSH as Likelihood  # noqa: N811
from evenrank.training import Training
from tests.methods.hashing.trained import RATES, check_by_hand, check_it_learns


def test_it_is_the_loop_with_the_authors_settings() -> None:
    settings = Training(epochs=2, batch=128, learning_rate=0.05, momentum=0.0, weight_decay=1e-5, rates=RATES, seed=3)
    check_by_hand(
        DPSH(bits=12, epochs=2, learning_rate=0.05, quantisation=20.0, seed=3), Likelihood(quantisation=20.0), settings
    )


def test_digits_are_found_better_than_by_random_projections() -> None:
    check_it_learns(DPSH(bits=16, epochs=20))
