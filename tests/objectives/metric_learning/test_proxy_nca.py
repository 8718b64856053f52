"""ProxyNCA against its definition."""

from collections.abc import Sequence

import numpy as np
import pytest
import torch

from evenrank.objectives.metric_learning.proxy_nca import ProxyNCA
from tests.objectives.examples import class_batch
from tests.objectives.metric_learning.agreement import agree, cross_entropy, distance, stay_finite, unit


def plain(x: np.ndarray, labels: Sequence[int], proxies: np.ndarray, scale: float) -> float:
    logits = [np.array([-scale * distance(row, proxy) ** 2 for proxy in unit(proxies)]) for row in x]
    return float(np.mean([cross_entropy(each, own) for each, own in zip(logits, labels, strict=True)]))


@pytest.mark.parametrize("scale", [0.1, 1.0, 14.0])
def test_it_is_a_softmax_over_all_proxies(scale: float) -> None:
    agree(ProxyNCA(classes=5, dimensions=4, scale=scale), lambda x, labels, proxies: plain(x, labels, proxies, scale))


def test_the_hardest_item_is_not_dropped() -> None:
    objective = ProxyNCA(classes=2, dimensions=2, scale=180.0)
    objective.loss.proxies.data = torch.tensor([[1.0, 0.0], [-1.0, 0.0]]).double()
    outputs = torch.tensor([[-1.0, 0.0], [1.0, 0.0]])  # float32: the first lies on the other class's proxy
    assert objective(outputs, class_batch([0, 0])).item() == pytest.approx(4 * 180 / 2)


def test_degenerate_batches_stay_finite() -> None:
    stay_finite(ProxyNCA(classes=3, dimensions=4))
