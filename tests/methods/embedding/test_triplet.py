"""The triplet loss trains a head."""

from evenrank.methods.embedding.triplet import Triplet
from evenrank.objectives.metric_learning.triplet import Triplet as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(Triplet(dimensions=4, margin=0.3), Loss(margin=0.3))


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(Triplet(dimensions=16, epochs=1, learning_rate=0.001))
