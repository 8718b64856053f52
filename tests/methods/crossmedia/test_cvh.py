from __future__ import annotations

import numpy as np
import pytest

from evenrank.methods.crossmedia.cvh import CVH
from tests.methods.crossmedia.test_cca import literal
from tests.methods.crossmedia.two_modalities import average_precision, encoded, items


@pytest.mark.parametrize("count", [20, 200])
def test_bits_are_the_signs_of_canonical_directions(count: int) -> None:
    data = items(count, image=30, text=25)
    found = encoded(CVH(bits=6, regularisation=0.1).fit(data.x), data)
    expected = literal(data, 0.1 * count / (count - 1), 6)  # deviations over n − 1 leave a variance below 1
    flips = np.sign((found["image"] * expected["image"]).sum(axis=0))
    for modality, values in expected.items():
        np.testing.assert_array_equal(found[modality], np.where(values * flips > 0, 1, -1))


def test_there_are_no_more_bits_than_the_smaller_modality_has_dimensions() -> None:
    data = items()
    with pytest.warns(UserWarning, match="^CVH: 16 bits asked for, 6 possible$"):
        method = CVH().fit(data.x)
    assert method.encode(data.image, "image").bits == 6


def test_the_released_regularisation_is_enough_where_dimensions_outnumber_items() -> None:
    data = items(count=60, image=200, text=150, noise=0.5)
    agreements = []
    for regularisation in (0.0, 1e-6):
        found = CVH(bits=4, regularisation=regularisation).fit({m: x[:40] for m, x in data.x.items()})
        image, text = encoded(found, data).values()
        agreements.append((image[40:] == text[40:]).mean())
    assert agreements[0] < 0.7
    assert agreements[1] > 0.85


def test_it_finds_items_of_the_same_class() -> None:
    assert min(average_precision(CVH(bits=4)).values()) > 0.5
