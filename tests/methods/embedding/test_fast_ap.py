"""FastAP trains a head."""

from evenrank.methods.embedding.fast_ap import FastAP
from evenrank.objectives.fast_ap import FastAP as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(FastAP(dimensions=4, bins=20), Loss(bins=20))


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(FastAP(dimensions=16, epochs=1, learning_rate=0.001))
