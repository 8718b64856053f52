from __future__ import annotations

import numpy as np

from evenrank.methods.hashing.spherical import Spherical
from tests.methods.hashing.digits import average_precision, digits


def inside(x: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return which items lie in the spheres about the centres that hold half of them."""
    distances = np.linalg.norm(x[:, None] - centres, axis=2)
    return distances <= np.sort(distances, axis=0)[len(x) // 2 - 1]


def test_a_step_is_the_card_s() -> None:
    items, bits = digits().database[:120], 6
    starts = np.random.default_rng(2).integers(120, size=(bits, 5))
    centres = np.array([items[rows].mean(axis=0) for rows in starts])
    member = inside(items, centres)
    moved = centres.copy()
    for i in range(bits):
        for j in range(bits):
            if i != j:
                overlap = (member[:, i] & member[:, j]).sum()
                moved[i] += 0.5 * (overlap - 30) / 30 * (centres[i] - centres[j]) / bits
    method = Spherical(bits=bits, iterations=1, seed=2).fit(items)
    np.testing.assert_allclose(method.centres_ + method.mean_, moved, atol=1e-9)
    assert (method.encode(items).unpack() == inside(items, moved)).all()


def test_each_sphere_holds_half_of_the_items_and_each_pair_about_a_quarter() -> None:
    items = np.random.default_rng(0).standard_normal((600, 20))
    bits = Spherical(bits=16).fit(items).encode(items).unpack().astype(float)
    np.testing.assert_array_equal(bits.sum(axis=0), 300)
    overlaps = (bits.T @ bits)[np.triu_indices(16, 1)]
    assert np.abs(overlaps - 150).mean() <= 0.1 * 150
    assert overlaps.std() <= 0.15 * 150


def test_the_iterations_bring_the_overlaps_nearer_to_a_quarter() -> None:
    items = digits().database

    def distance(iterations: int) -> float:
        fitted = Spherical(bits=16, iterations=iterations, mean_tolerance=0.0).fit(items)
        bits = fitted.encode(items).unpack().astype(float)
        return float(np.abs((bits.T @ bits)[np.triu_indices(16, 1)] / len(items) - 0.25).mean())

    assert distance(60) < distance(10) < distance(1)


def test_a_tolerance_that_is_never_met_ends_after_the_iterations() -> None:
    items = np.random.default_rng(0).standard_normal((40, 1))  # spheres on a line cannot all overlap by a quarter
    method = Spherical(bits=30, iterations=50, mean_tolerance=0.0).fit(items)
    assert np.isfinite(method.centres_).all()


def test_it_learns_from_a_sample() -> None:
    items = digits().database
    assert not np.array_equal(Spherical(sample=200).fit(items).mean_, items.mean(axis=0))
    np.testing.assert_allclose(Spherical().fit(items).mean_, items.mean(axis=0))


def test_it_beats_lsh_with_few_bits() -> None:
    assert average_precision("spherical", bits=16) > average_precision("lsh", bits=16) + 0.02
