"""deep-SM is one network a modality, trained on the squared error of its softmax."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from evenrank.methods.crossmedia.deep_semantic_matching import DeepSemanticMatching
from tests.methods.crossmedia.two_modalities import average_precision, encoded, items


def small(**keywords: Any) -> DeepSemanticMatching:
    return DeepSemanticMatching(**{"width": 16, "epochs": 6, "batch": 40, **keywords})


def by_hand(x: np.ndarray, labels: np.ndarray, layers: int) -> np.ndarray:
    """Return p of plain gradient descent on all items at once, with a rate that falls to a tenth after each third."""
    torch.manual_seed(0)
    widths = [x.shape[1], 16, 8][: layers + 1]
    parts: list[nn.Module] = []
    for inside, outside in pairwise(widths):
        parts += [nn.Linear(inside, outside), nn.BatchNorm1d(outside, affine=False), nn.ReLU()]
    network = nn.Sequential(*parts, nn.Linear(widths[-1], 4))
    values = torch.tensor((x - x.mean(axis=0)) / np.sqrt(x.var(axis=0).mean()), dtype=torch.float32)
    for epoch in range(6):
        p = torch.softmax(network(values), dim=1)
        loss = (p - torch.eye(4)[labels]).square().sum() / (2 * len(x))
        network.zero_grad()
        loss.backward()
        with torch.no_grad():
            for each in network.parameters():
                each -= 0.5 * 0.1 ** (epoch // 2) * (each.grad + 0.01 * each)
    return torch.softmax(network.eval()(values), dim=1).detach().numpy()


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_it_is_gradient_descent_on_half_the_squared_error_of_softmax(layers: int) -> None:
    data = items(120)
    method = small(layers=layers, dropout=0, batch=120, learning_rate=0.5, momentum=0, weight_decay=0.01)
    found = encoded(method.fit(data.x, data.labels), data)
    for modality, x in data.x.items():
        np.testing.assert_allclose(found[modality], by_hand(x, data.labels, layers), atol=1e-5)


def test_the_objective_falls_in_both_modalities() -> None:
    data = items(200)
    method = small(epochs=30).fit(data.x, data.labels)
    for losses in method.losses_.values():
        assert len(losses) == 150
        assert losses[-20:].mean() < 0.8 * losses[:20].mean()


def test_another_seed_gives_other_networks_and_the_global_generator_stays() -> None:
    data = items(80)
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    first, second = (small(seed=seed).fit(data.x, data.labels).transform(data.text, "text") for seed in (0, 1))
    assert np.abs(first - second).max() > 0.01
    assert torch.equal(before, torch.random.get_rng_state())


def test_an_item_of_several_labels_is_learned_from_once_for_each() -> None:
    data = items(80)
    several = data.labels[:, None] == np.arange(4)
    several[:40] |= several[:40, [1, 2, 3, 0]]  # 120 labels, so three batches of 40 an epoch
    method = small().fit(data.x, several)
    assert len(method.losses_["image"]) == 6 * 3
    assert method.transform(data.image, "image").shape == (80, 4)


def test_one_class_is_refused() -> None:
    data = items(20)
    with pytest.raises(ValueError, match=r"^labels of DeepSemanticMatching must be of at least two classes; got 1$"):
        small().fit(data.x, np.zeros(20))


def test_items_find_those_of_their_class_in_the_other_modality() -> None:
    assert min(average_precision(small(width=64, epochs=30)).values()) > 0.7
