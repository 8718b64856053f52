"""HashNet trains the weighted pair likelihood while tanh sharpens."""

import numpy as np
import pytest

from evenrank.continuation import Continuation
from evenrank.methods.hashing.hashnet import HashNet
from evenrank.objectives.hashnet import HashNet as Likelihood
from evenrank.relevance import SharedLabels
from evenrank.training import Training
from tests.methods.hashing.trained import RATES, X, Y, check_by_hand, check_it_learns


def test_it_is_the_loop_with_the_authors_settings() -> None:
    settings = Training(
        epochs=5,
        batch=72,
        learning_rate=0.05,
        nesterov=True,
        rates=RATES,
        milestones=(1, 2, 3, 4),
        factor=0.5,
        seed=3,
    )
    schedule = Continuation(growth=50 / 55, power=0.5)  # 800 // 72 = 11 steps an epoch
    method = HashNet(bits=12, epochs=5, learning_rate=0.05, sharpness=8.0, seed=3)
    check_by_hand(method, Likelihood(sharpness=8.0), settings, schedule)


def test_over_ten_thousand_steps_the_schedule_is_the_authors() -> None:
    ours, theirs = HashNet().continuation(10_000), Continuation.hashnet()
    assert [ours.alpha(step) for step in (0, 199, 200, 9_999)] == pytest.approx(
        [theirs.alpha(step) for step in (0, 199, 200, 9_999)]
    )


def test_pairs_with_more_labels_in_common_weigh_more() -> None:
    several = np.stack([Y % 2 == 0, Y % 3 == 0, Y < 5, Y >= 0], axis=1)
    weighted = HashNet(bits=8, epochs=1).fit(X, several)
    unweighted = HashNet(bits=8, epochs=1).fit(X, SharedLabels(several, several))
    assert weighted.losses_[0] != unweighted.losses_[0]


def test_digits_are_found_better_than_by_random_projections() -> None:
    check_it_learns(HashNet(bits=16, epochs=10))
