"""SoftTriple trains a head, and several centres for every class."""

from evenrank.methods.embedding.soft_triple import SoftTriple
from evenrank.objectives.metric_learning.soft_triple import SoftTriple as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(
        SoftTriple(
            dimensions=4,
            centres=3,
            scale=20.0,
            gamma=5.0,
            regularisation=0.2,
            margin=0.1,
            loss_learning_rate=0.02,
            seed=3,
        ),
        Loss(
            classes=5,
            dimensions=4,
            centres=3,
            scale=20.0,
            gamma=5.0,
            regularisation=0.2,
            margin=0.1,
            learning_rate=0.02,
            seed=3,
        ),
    )


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(SoftTriple(dimensions=16, epochs=1, learning_rate=0.01))
