"""The SNR contrastive loss trains a head."""

from evenrank.methods.embedding.snr_contrastive import SNRContrastive
from evenrank.objectives.metric_learning.snr_contrastive import SNRContrastive as Loss
from tests.methods.embedding.learning import check_it_learns, check_loss


def test_every_keyword_reaches_the_loss() -> None:
    check_loss(
        SNRContrastive(dimensions=4, positive_margin=0.1, negative_margin=0.9, regularisation=0.2),
        Loss(positive_margin=0.1, negative_margin=0.9, regularisation=0.2),
    )


def test_unseen_classes_are_told_apart() -> None:
    check_it_learns(SNRContrastive(dimensions=16, epochs=1, learning_rate=0.001))
