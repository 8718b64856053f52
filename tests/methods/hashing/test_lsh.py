from __future__ import annotations

import numpy as np

from evenrank.methods.hashing.lsh import LSH
from tests.methods.hashing.digits import average_precision, digits


def test_the_share_of_different_bits_is_the_angle() -> None:
    """Goemans and Williamson's identity, about the mean of the features."""
    items = digits().database[:40]
    bits = LSH(bits=4096).fit(items).encode(items).unpack().astype(float)
    centred = items - items.mean(axis=0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    different = np.abs(bits[:, None] - bits).mean(axis=2)
    angle = np.arccos(np.clip(centred @ centred.T, -1, 1)) / np.pi
    np.testing.assert_allclose(different, angle, atol=0.04)  # 5 standard deviations of 4096 draws


def test_features_far_from_zero_still_give_even_bits() -> None:
    items = digits().database + 1000
    share = LSH(bits=64).fit(items).encode(items).unpack().mean(axis=0)
    assert share.min() > 0.2
    assert share.max() < 0.8


def test_more_bits_find_more_and_all_beat_chance() -> None:
    assert average_precision("chance", bits=48) + 0.1 < average_precision("lsh", bits=8)
    assert average_precision("lsh", bits=8) + 0.1 < average_precision("lsh", bits=48)
