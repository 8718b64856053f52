"""Linear hash functions start as their authors' do."""

import pytest
import torch

from evenrank.training import linear


def test_the_linear_map_starts_as_its_authors_do() -> None:
    model = linear(500, 64, seed=3)
    assert model.weight.std().item() == pytest.approx((2 / 500) ** 0.5, rel=0.02)
    assert not model.bias.any()
    assert torch.equal(model.weight, linear(500, 64, seed=3).weight)
    assert not torch.equal(model.weight, linear(500, 64, seed=4).weight)
