"""The margin loss trains a head, and a boundary for every class."""

from evenrank.methods.embedding.margin_class import MarginClass
from evenrank.objectives.metric_learning.margin_class import MarginClass as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(
        MarginClass(dimensions=4, margin=0.2, beta=1.1, loss_learning_rate=0.02),
        Loss(classes=5, margin=0.2, beta=1.1, learning_rate=0.02),
    )


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(MarginClass(dimensions=16, epochs=1, learning_rate=0.001))
