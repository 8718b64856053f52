"""The normalised softmax against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest

from evenrank.objectives.metric_learning.normalised_softmax import NormalisedSoftmax
from tests.objectives.metric_learning.agreement import agree, cross_entropy, stay_finite, unit


def plain(x: np.ndarray, labels: Sequence[int], weights: np.ndarray, temperature: float) -> float:
    logits = x @ unit(weights.T).T / temperature
    return float(np.mean([cross_entropy(row, own) for row, own in zip(logits, labels, strict=True)]))


@pytest.mark.parametrize("temperature", [0.05, 0.11, 2.0])
def test_it_is_the_cross_entropy_of_cosines(temperature: float) -> None:
    objective = NormalisedSoftmax(classes=5, dimensions=4, temperature=temperature)
    agree(objective, lambda x, labels, weights: plain(x, labels, weights, temperature))


def test_degenerate_batches_stay_finite() -> None:
    stay_finite(NormalisedSoftmax(classes=3, dimensions=4))
