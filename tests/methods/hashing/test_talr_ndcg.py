"""TALR-NDCG trains tie-aware nDCG, on all levels of relevance."""

import numpy as np

from evenrank.evaluate import evaluate
from evenrank.methods.hashing.lsh import LSH
from evenrank.methods.hashing.talr_ndcg import TALRNDCG
from evenrank.objectives.tie_aware_dcg import TieAwareDCG
from evenrank.relevance import SharedLabels
from evenrank.training import Training
from tests.methods.hashing.trained import ANSWERS, QUERIES, RATES, X, Y, check_by_hand, check_it_learns

SETTINGS = Training(epochs=3, batch=256, learning_rate=0.5, rates=RATES, seed=3)


def several(digits: np.ndarray) -> np.ndarray:
    """Return three labels a digit may have: even, divisible by three, below five."""
    return np.stack([digits % 2 == 0, digits % 3 == 0, digits < 5], axis=1)


def test_it_is_the_loop_with_the_authors_settings() -> None:
    method = TALRNDCG(bits=12, epochs=3, learning_rate=0.5, gain="linear", seed=3)
    check_by_hand(method, TieAwareDCG(gain="linear", alpha=0.5, bins=6), SETTINGS)


def test_rows_of_labels_mean_the_number_in_common() -> None:
    labels = several(Y)
    given = TALRNDCG(bits=12, epochs=1).fit(X, labels)
    counted = TALRNDCG(bits=12, epochs=1).fit(X, SharedLabels(labels, labels, graded=True))
    np.testing.assert_array_equal(given.losses_, counted.losses_)


def test_items_with_more_labels_in_common_come_first() -> None:
    relevance = SharedLabels(several(ANSWERS), several(Y), graded=True)
    found = [
        evaluate(method.encode(QUERIES), method.encode(X), relevance, ["nDCG"]).mean["nDCG"]
        for method in (TALRNDCG(bits=16, epochs=10).fit(X, several(Y)), LSH(bits=16).fit(X))
    ]
    assert found[0] > found[1] + 0.03


def test_digits_are_found_better_than_by_random_projections() -> None:
    check_it_learns(TALRNDCG(bits=16, epochs=10))
