"""NT-Xent trains a head."""

from evenrank.methods.embedding.nt_xent import NTXent
from evenrank.objectives.metric_learning.nt_xent import NTXent as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(NTXent(dimensions=4, temperature=0.2), Loss(temperature=0.2))


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(NTXent(dimensions=16, epochs=1, learning_rate=0.001))
