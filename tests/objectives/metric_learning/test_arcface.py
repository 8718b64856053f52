"""ArcFace against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from evenrank.objectives.metric_learning.arcface import ArcFace
from tests.objectives.examples import class_batch
from tests.objectives.metric_learning.agreement import agree, cross_entropy, stay_finite, unit


def plain(x: np.ndarray, labels: Sequence[int], weights: np.ndarray, degrees: float, scale: float) -> float:
    cosines, margin = x @ unit(weights.T).T, np.pi * degrees / 180
    for row, own in zip(cosines, labels, strict=True):
        angle = np.arccos(row[own])
        row[own] = np.cos(angle + margin) if angle <= np.pi - margin else row[own] - margin * np.sin(margin)
    return float(np.mean([cross_entropy(scale * row, own) for row, own in zip(cosines, labels, strict=True)]))


@pytest.mark.parametrize(("degrees", "scale"), [(0.0, 1.0), (23.0, 20.0), (80.0, 64.0)])
def test_the_own_angle_pays_a_margin_in_degrees(degrees: float, scale: float) -> None:
    objective = ArcFace(classes=5, dimensions=4, margin=degrees, scale=scale)
    agree(objective, lambda x, labels, weights: plain(x, labels, weights, degrees, scale))


@pytest.mark.parametrize(("angle", "logit"), [(150.0, np.cos(np.pi)), (170.0, np.cos(np.pi * 170 / 180) - np.pi / 12)])
def test_beyond_a_half_turn_the_margin_is_subtracted(angle: float, logit: float) -> None:
    objective = ArcFace(classes=2, dimensions=2, margin=30.0, scale=1.0)
    objective.loss.W.data = torch.tensor([[1.0, 0.0], [0.0, 1.0]]).double()
    radians = np.pi * angle / 180
    value = objective(torch.tensor([[np.cos(radians), np.sin(radians)]]), class_batch([0]))
    assert value.item() == pytest.approx(np.log(1 + np.exp(np.sin(radians) - logit)))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_item_on_its_class_weight_has_a_finite_gradient(sign: float) -> None:
    objective = ArcFace(classes=2, dimensions=2)
    objective.loss.W.data = torch.tensor([[1.0, 0.0], [0.0, 1.0]]).double()
    outputs = torch.tensor([[sign, 0.0]]).requires_grad_()
    objective(outputs, class_batch([0])).backward()
    assert outputs.grad is not None
    assert torch.isfinite(outputs.grad).all()
    assert all(torch.isfinite(each.grad).all() for each in objective.parameters() if each.grad is not None)


def test_degenerate_batches_stay_finite() -> None:
    stay_finite(ArcFace(classes=3, dimensions=4))
