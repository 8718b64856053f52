"""CosFace against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest

from evenrank.objectives.metric_learning.cosface import CosFace
from tests.objectives.metric_learning.agreement import agree, cross_entropy, stay_finite, unit


def plain(x: np.ndarray, labels: Sequence[int], weights: np.ndarray, margin: float, scale: float) -> float:
    cosines = x @ unit(weights.T).T
    cosines[np.arange(len(labels)), labels] -= margin
    return float(np.mean([cross_entropy(scale * row, own) for row, own in zip(cosines, labels, strict=True)]))


@pytest.mark.parametrize(("margin", "scale"), [(0.0, 1.0), (0.35, 20.0), (0.62, 100.0)])
def test_the_own_cosine_pays_a_margin(margin: float, scale: float) -> None:
    objective = CosFace(classes=5, dimensions=4, margin=margin, scale=scale)
    agree(objective, lambda x, labels, weights: plain(x, labels, weights, margin, scale))


def test_degenerate_batches_stay_finite() -> None:
    stay_finite(CosFace(classes=3, dimensions=4))
