"""Normalised softmax trains a head, and class weights."""

from evenrank.methods.embedding.normalised_softmax import NormalisedSoftmax
from evenrank.objectives.metric_learning.normalised_softmax import NormalisedSoftmax as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(
        NormalisedSoftmax(dimensions=4, temperature=0.2, loss_learning_rate=0.02, seed=3),
        Loss(classes=5, dimensions=4, temperature=0.2, learning_rate=0.02, seed=3),
    )


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(NormalisedSoftmax(dimensions=16, epochs=1, learning_rate=0.01))
