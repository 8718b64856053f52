"""The multi-similarity loss of mined pairs trains a head."""

from evenrank.methods.embedding.multi_similarity_mined import MultiSimilarityMined
from evenrank.objectives.metric_learning.multi_similarity_mined import MultiSimilarityMined as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(
        MultiSimilarityMined(dimensions=4, alpha=2.0, beta=40.0, base=0.5, epsilon=0.2),
        Loss(alpha=2.0, beta=40.0, base=0.5, epsilon=0.2),
    )


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(MultiSimilarityMined(dimensions=16, epochs=1, learning_rate=0.001))
