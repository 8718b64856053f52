from __future__ import annotations

import numpy as np
import pytest

from evenrank.codes import Codes
from evenrank.distinct import distinct
from evenrank.occupancy import Occupancy, occupancy


@pytest.mark.parametrize("bits", [3, 8, 11, 64, 65, 100])
def test_distinct_codes(bits: int) -> None:
    random = np.random.default_rng(bits)
    pool = random.integers(0, 2, (6, bits))
    rows = pool[random.integers(0, 6, 50)]
    known = distinct(Codes.from_bits(rows))
    values, count = np.unique(rows, axis=0, return_counts=True)
    np.testing.assert_array_equal(known.codes, Codes.from_bits(values).bytes())
    np.testing.assert_array_equal(known.multiplicity, count)
    np.testing.assert_array_equal(known.multiplicity_of(Codes.from_bits(values[::-1]).bytes()), count[::-1])


@pytest.mark.parametrize("bits", [4, 70])
def test_own_row_is_taken_out_at_any_distance(bits: int) -> None:
    """As if the database lacked the row: query by query against the database without it."""
    random = np.random.default_rng(bits)
    pool = random.integers(0, 2, (40, bits)) * (np.arange(bits) < 4)  # few codes: several share the largest number
    queries, database = pool[:20], pool
    own = random.integers(-1, 40, 20)
    got = occupancy(Codes.from_bits(queries), Codes.from_bits(database), 4, own=own, backend="reference")
    for q, row in enumerate(own):
        rest = np.delete(database, row, axis=0) if row >= 0 else database
        alone = occupancy(Codes.from_bits(queries[q : q + 1]), Codes.from_bits(rest), 4, backend="reference")
        np.testing.assert_array_equal(got.occupied[q], alone.occupied[0])
        np.testing.assert_array_equal(got.largest[q], alone.largest[0])
        np.testing.assert_allclose(got.spread[q], alone.spread[0], atol=1e-12)


def test_part_of_the_queries() -> None:
    codes = Codes.from_bits([[0, 0], [0, 1], [1, 1]])
    whole = occupancy(codes, codes, 1, backend="reference")
    part = whole[1:]
    assert isinstance(part, Occupancy)
    assert len(part) == 2
    np.testing.assert_array_equal(part.occupied, whole.occupied[1:])


def test_bits_must_agree() -> None:
    with pytest.raises(ValueError, match="as many bits as the queries, 2; got 3"):
        occupancy(Codes.from_bits([[0, 0]]), Codes.from_bits([[0, 0, 1]]), 1)
