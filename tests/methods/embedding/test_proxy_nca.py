"""ProxyNCA trains a head, and a proxy for every class."""

from evenrank.methods.embedding.proxy_nca import ProxyNCA
from evenrank.objectives.metric_learning.proxy_nca import ProxyNCA as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(
        ProxyNCA(dimensions=4, scale=8.0, loss_learning_rate=0.02, seed=3),
        Loss(classes=5, dimensions=4, scale=8.0, learning_rate=0.02, seed=3),
    )


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(ProxyNCA(dimensions=16, epochs=2, learning_rate=0.01))
