"""Networks of one's own, by their path."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from evenrank.extractors.module import Module
from tests.extractors import needs

pytestmark = needs.packages("torch")
CODE = """
import torch

def pooled():
    return torch.nn.AdaptiveAvgPool2d(1)

def drawn():
    return torch.nn.Sequential(torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(3, 4))

def summed():
    class Sum(torch.nn.Module):
        def forward(self, images):
            return images.sum()
    return Sum()

word = str
"""
RED = np.full((2, 8, 8, 3), (255, 0, 51), np.uint8)


@pytest.fixture(autouse=True)
def _own_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_networks.py").write_text(CODE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_networks", raising=False)


def features(path: str, **options: object) -> np.ndarray:
    return Module(path=path, size=8, resize=8, **options).fit(RED)(RED)


def test_pixels_arrive_scaled_by_mean_and_deviation() -> None:
    found = features("own_networks:pooled", mean=(0.5, 0.5, 0.0), std=(0.5, 0.25, 0.1))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [[1, -2, 2]] * 2, rtol=1e-6)


def test_weights_that_the_network_draws_follow_the_seed() -> None:
    assert np.array_equal(features("own_networks:drawn", seed=1), features("own_networks:drawn", seed=1))
    assert not np.allclose(features("own_networks:drawn", seed=1), features("own_networks:drawn", seed=2))


def test_the_code_is_among_the_files_that_decide(tmp_path: Path) -> None:
    assert Module(path="own_networks:pooled").files() == (tmp_path / "own_networks.py",)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("own_networks", "path of Module must be written 'package.module:callable'; got 'own_networks'"),
        ("own_networks:absent", "must name a callable on the import path; got 'own_networks:absent'"),
        ("absent_package:pooled", "must name a callable on the import path; got 'absent_package:pooled'"),
        ("own_networks:word", "must return a torch.nn.Module; 'own_networks:word' gives str"),
        ("own_networks:summed", "a network must return a tensor with a row an image"),
    ],
)
def test_what_is_not_a_network_is_one_line(path: str, problem: str) -> None:
    with pytest.raises(ValueError, match=rf"^[^\n]*{problem}[^\n]*$"):
        features(path)


def test_a_mean_of_two_channels_is_refused() -> None:
    with pytest.raises(ValueError, match=r"mean of Module must be three numbers, one a channel; got \(0.5, 0.5\)"):
        features("own_networks:pooled", mean=(0.5, 0.5))
