"""The margin loss trains a head, and its boundary."""

from evenrank.methods.embedding.margin import Margin
from evenrank.objectives.metric_learning.margin import Margin as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(
        Margin(dimensions=4, margin=0.2, beta=1.1, loss_learning_rate=0.02),
        Loss(margin=0.2, beta=1.1, learning_rate=0.02),
    )


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(Margin(dimensions=16, epochs=1, learning_rate=0.001))
