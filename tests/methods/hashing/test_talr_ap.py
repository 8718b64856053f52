"""TALR-AP trains tie-aware average precision."""

import pytest

from evenrank.continuation import Continuation
from evenrank.methods.hashing.talr_ap import TALRAP
from evenrank.objectives.tie_aware_ap import TieAwareAP
from evenrank.training import Training
from tests.methods.hashing.trained import RATES, check_by_hand, check_it_learns

SETTINGS = Training(epochs=3, batch=250, learning_rate=0.5, rates=RATES, seed=3)


def test_it_is_the_loop_with_the_authors_settings() -> None:
    method = TALRAP(bits=12, epochs=3, learning_rate=0.5, relaxation="exact", seed=3)
    check_by_hand(method, TieAwareAP(relaxation="exact", alpha=0.5, bins=12), SETTINGS)


def test_codes_sharpen_up_to_the_final_alpha() -> None:
    method = TALRAP(bits=12, epochs=3, learning_rate=0.5, final_alpha=10, seed=3)
    schedule = Continuation.geometric(start=0.5, end=10, steps=9)
    check_by_hand(method, TieAwareAP(), SETTINGS, schedule)


@pytest.mark.parametrize(("bits", "bins"), [(24, None), (32, 16), (48, 24)])
def test_from_32_bits_on_there_is_one_bin_for_two_bits(bits: int, bins: int | None) -> None:
    assert TALRAP(bits=bits).objective().bins == bins


def test_digits_are_found_better_than_by_random_projections() -> None:
    check_it_learns(TALRAP(bits=16, epochs=10))
