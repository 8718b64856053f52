"""The SNR contrastive loss against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from evenrank.objectives.metric_learning.snr_contrastive import SNRContrastive
from tests.objectives.examples import class_batch
from tests.objectives.metric_learning.agreement import agree, averaged, negatives, positives, stay_finite


def plain(x: np.ndarray, labels: Sequence[int], margins: tuple[float, float], weight: float) -> float:
    near, far = [], []
    for a in range(len(labels)):
        near += [np.var(x[a] - x[p]) / np.var(x[a]) - margins[0] for p in positives(labels, a)]
        far += [margins[1] - np.var(x[a] - x[n]) / np.var(x[a]) for n in negatives(labels, a)]
    return averaged(near) + averaged(far) + weight * float(np.mean(np.abs(x.sum(axis=1))))


@pytest.mark.parametrize("weight", [0.0, 0.14, 1.0])
@pytest.mark.parametrize("margins", [(0.33, 0.84), (0.0, 2.0)])
def test_the_anchor_is_the_signal(margins: tuple[float, float], weight: float) -> None:
    objective = SNRContrastive(positive_margin=margins[0], negative_margin=margins[1], regularisation=weight)
    agree(objective, lambda x, labels: plain(x, labels, margins, weight))


def test_two_dimensions_by_hand() -> None:
    # Variances of (0.6, -0.8) and (0, 1) are 0.49 and 0.25, of their difference 1.44.
    outputs = torch.tensor([[0.6, -0.8], [0.0, 1.0]], dtype=torch.float64)
    value = SNRContrastive(positive_margin=0, regularisation=0)(outputs, class_batch([0, 0]))
    assert value.item() == pytest.approx((1.44 / 0.49 + 1.44 / 0.25) / 2)


def test_what_a_batch_cannot_say_costs_nothing() -> None:
    stay_finite(SNRContrastive())
    stay_finite(SNRContrastive(regularisation=0), silent=("one item",))
