from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.hashing.sklsh import SKLSH
from tests.methods.hashing.digits import average_precision, digits


def test_the_share_of_different_bits_is_the_paper_s_function_of_the_kernel() -> None:
    """8/π² Σ_m (1 − K(m δ)) / (4 m² − 1) with K(δ) = exp(−γ ‖δ‖² / 2)."""
    items = digits().database
    method = SKLSH(bits=4096, sample=1000).fit(items)
    squares = np.square(items[:60, None] - items[:60]).sum(axis=2)
    unit = np.mean([np.sort(np.square(items - item).sum(axis=1))[50] for item in items])  # the first is itself
    bits = method.encode(items[:60]).unpack().astype(float)
    different = np.abs(bits[:, None] - bits).mean(axis=2)
    modes = np.arange(1, 200)[:, None, None]
    kernel = np.exp(-(modes**2) * squares / unit / 2)
    expected = 8 / np.pi**2 * ((1 - kernel) / (4 * modes**2 - 1)).sum(axis=0)
    np.testing.assert_allclose(different, expected, atol=0.04)


def test_the_scale_of_the_features_does_not_matter() -> None:
    items = digits().database
    usual = SKLSH(bits=64).fit(items).encode(items).unpack()
    scaled = SKLSH(bits=64).fit(items * 1024).encode(items * 1024).unpack()
    assert (usual == scaled).mean() > 0.999


def test_a_larger_gamma_tells_nearer_items_apart() -> None:
    items = digits().database[:100]

    def different(gamma: float) -> float:
        bits = SKLSH(bits=256, gamma=gamma).fit(items).encode(items).unpack()
        return float((bits[:-1] != bits[1:]).mean())

    assert different(0.1) + 0.1 < different(1)
    assert different(1) + 0.1 < different(100)


def test_many_copies_of_every_item_are_no_division_by_zero() -> None:
    items = np.repeat(np.eye(3), 60, axis=0)
    codes = SKLSH(bits=64).fit(items).encode(np.eye(3)).unpack()
    assert len(np.unique(codes, axis=0)) == 3


def test_items_that_are_all_alike_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^features of SKLSH must vary; got 9 items that are all alike$"):
        SKLSH().fit(np.ones((9, 4)))


def test_it_beats_chance_by_far() -> None:
    assert average_precision("sklsh", bits=48) > average_precision("chance", bits=48) + 0.15
