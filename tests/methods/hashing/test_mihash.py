"""MIHash trains the mutual information of distance and relevance."""

from evenrank.methods.hashing.mihash import MIHash
from evenrank.objectives.mutual_information import MutualInformation
from evenrank.training import Training
from tests.methods.hashing.trained import RATES, check_by_hand, check_it_learns


def test_it_is_the_loop_with_the_authors_settings() -> None:
    settings = Training(epochs=3, batch=256, learning_rate=0.5, rates=RATES, milestones=(1, 2), factor=0.5, seed=3)
    method = MIHash(bits=12, epochs=3, learning_rate=0.5, bins=4, seed=3)
    check_by_hand(method, MutualInformation(alpha=0.5, bins=4), settings)


def test_digits_are_found_better_than_by_random_projections() -> None:
    check_it_learns(MIHash(bits=16, epochs=20))
