"""ArcFace trains a head, and class weights."""

from evenrank.methods.embedding.arcface import ArcFace
from evenrank.objectives.metric_learning.arcface import ArcFace as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(
        ArcFace(dimensions=4, margin=15.0, scale=20.0, loss_learning_rate=0.02, seed=3),
        Loss(classes=5, dimensions=4, margin=15.0, scale=20.0, learning_rate=0.02, seed=3),
    )


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(ArcFace(dimensions=16, epochs=1, learning_rate=0.01))
