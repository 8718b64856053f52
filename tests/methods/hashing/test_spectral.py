from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from evenrank.methods.hashing.spectral import Spectral
from tests.methods.hashing.digits import average_precision, digits, same_up_to_flips


def literal(x: np.ndarray, bits: int) -> np.ndarray:
    """Return the signs of the waves with the smallest eigenvalues, each found and evaluated by itself."""
    left, spread, _ = np.linalg.svd(x - x.mean(axis=0), full_matrices=False)
    box = (left * spread)[:, : min(bits, x.shape[1])]
    low, lengths = box.min(axis=0), np.ptp(box, axis=0)
    waves = []
    for axis, length in enumerate(lengths):
        for mode in range(1, math.ceil((bits + 1) * length / lengths.max())):
            waves.append(((math.pi * mode / length) ** 2, axis, mode))
    columns = []
    for _, axis, mode in sorted(waves)[:bits]:
        columns.append(np.sin(math.pi * mode * (box[:, axis] - low[axis]) / lengths[axis] + math.pi / 2) > 0)
    return np.stack(columns, axis=1)


@pytest.mark.parametrize("bits", [1, 12, 40])
def test_bits_are_the_smoothest_waves(bits: int) -> None:
    items = digits().database
    found = Spectral(bits=bits).fit(items).encode(items).unpack()
    assert same_up_to_flips(found, literal(items, bits)).min() > 0.995


def test_long_axes_get_several_waves() -> None:
    """On a grid of 8 × 3 the waves of the long axis come at 1/8, 2/8, 3/8 …, that of the short one at 1/3."""
    across, up = np.meshgrid(np.linspace(0, 8, 65), np.linspace(0, 3, 25))
    grid = np.stack([across.ravel(), up.ravel()], axis=1)
    method = Spectral(bits=4).fit(grid)
    half_waves = np.abs(method.weights_)
    np.testing.assert_allclose(half_waves, [[1 / 8, 2 / 8, 0, 3 / 8], [0, 0, 1 / 3, 0]], atol=1e-9)
    inner = np.array([[1.0, 1.0], [5.0, 1.0], [7.0, 1.0], [1.0, 2.0]])
    first, second, third, _ = method.encode(inner).unpack().T
    assert first[0] != first[1] == first[2]
    assert second[0] != second[1] != second[2]
    assert third[0] == third[1] != third[3]


def test_two_dimensions_give_a_hundred_bits_without_a_warning() -> None:
    items = np.random.default_rng(0).uniform(size=(50, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Spectral(bits=100).fit(items).encode(items).bits == 100


def test_a_few_bits_beat_lsh() -> None:
    assert average_precision("spectral", bits=8) > average_precision("lsh", bits=8) + 0.03
