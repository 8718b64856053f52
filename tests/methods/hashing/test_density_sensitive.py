from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.hashing.density_sensitive import DensitySensitive
from tests.methods.hashing.digits import average_precision, digits


def literal(x: np.ndarray, bits: int, seed: int) -> np.ndarray:
    """Return the bits of the card's steps, group by group and pair by pair."""
    count = int(1.5 * bits + 0.5)
    centres = np.unique(x[np.random.default_rng(seed).choice(len(x), count, replace=False)], axis=0)
    for _ in range(3):
        nearest = np.array([np.argmin([np.linalg.norm(item - centre) for centre in centres]) for item in x])
        groups = [x[nearest == group] for group in range(len(centres)) if (nearest == group).any()]
        centres = np.array([group.mean(axis=0) for group in groups])
    pairs = set()
    for i, centre in enumerate(centres):
        order = np.argsort([np.linalg.norm(centre - other) for other in centres])
        pairs |= {(min(i, j), max(i, j)) for j in order[1:4]}
    candidates = []
    for i, j in sorted(pairs):
        weights = centres[i] - centres[j]
        threshold = weights @ (centres[i] + centres[j]) / 2
        above = sum(len(group) for group in groups if weights @ group.mean(axis=0) > threshold)
        candidates.append((-min(above, len(x) - above) / max(above, len(x) - above), i, j, weights, threshold))
    kept = sorted(candidates, key=lambda candidate: candidate[:3])[:bits]
    return np.stack([x @ weights > threshold for *_, weights, threshold in kept], axis=1)


def test_bits_are_those_of_the_card() -> None:
    items = digits().database[:300]
    found = DensitySensitive(bits=10, seed=4).fit(items).encode(items).unpack()
    assert (found == literal(items, 10, seed=4)).mean() > 0.999


def test_one_bit_parts_two_groups() -> None:
    random = np.random.default_rng(0)
    items = np.concatenate([random.normal(-5, 1, (50, 3)), random.normal(5, 1, (50, 3))])
    bit = DensitySensitive(bits=1, iterations=10).fit(items).encode(items).unpack()[:, 0]
    assert np.ptp(bit[:50]) == np.ptp(bit[50:]) == 0
    assert bit[0] != bit[50]


def test_bits_are_even_where_density_allows() -> None:
    items = np.random.default_rng(0).standard_normal((1000, 8))
    share = DensitySensitive(bits=16).fit(items).encode(items).unpack().mean(axis=0)
    assert np.abs(share - 0.5).max() < 0.1


def test_few_distinct_items_give_fewer_bits() -> None:
    items = np.repeat(np.eye(3), 20, axis=0)
    with pytest.warns(UserWarning, match="DensitySensitive: 50 bits asked for, 3 possible"):
        method = DensitySensitive(bits=50).fit(items)
    assert len(np.unique(method.encode(np.eye(3)).unpack(), axis=0)) == 3


def test_items_that_are_all_alike_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^features of DensitySensitive must vary; got one group of 9 items"):
        DensitySensitive().fit(np.ones((9, 4)))


def test_it_beats_lsh_with_few_bits() -> None:
    assert average_precision("density_sensitive", bits=16) > average_precision("lsh", bits=16) + 0.03
