from __future__ import annotations

import numpy as np
import pytest

from evenrank.codes import Codes
from evenrank.metric import parse
from evenrank.occupancy import occupancy
from evenrank.tally import Tally
from tests.brute_force import local_group_average_precision


def measured(name: str, query: np.ndarray, database: np.ndarray, relevant: np.ndarray, radius: int) -> float:
    distance = (query != database).sum(axis=1)
    counts = np.zeros((1, len(query) + 1, 2), np.int64)
    np.add.at(counts[0], (distance, relevant.astype(int)), 1)
    tally = Tally(counts, [0, 1], np.arange(len(query) + 1))
    around = occupancy(Codes.from_bits(query[None]), Codes.from_bits(database), radius, backend="reference")
    return float(parse(name).spread(tally, around).expected[0])


def test_worked_example_of_paper_2() -> None:
    codes = "0000 0000 1000 1000 0100 0010 1100 1100 1010 0110"
    database = np.array([[int(bit) for bit in code] for code in codes.split()])
    relevant = np.array([1, 1, 1, 1, 0, 0, 1, 0, 0, 0], bool)
    assert measured("LGAP@2", np.zeros(4, int), database, relevant, 2) == pytest.approx(179 / 330, abs=1e-12)


@pytest.mark.parametrize("dispersion", ["ball", "occupied", "entropy"])
@pytest.mark.parametrize("radius", [0, 1, 2, 5])
def test_definition(dispersion: str, radius: int) -> None:
    random = np.random.default_rng(radius)
    for items in (1, 5, 40):
        database, query = random.integers(0, 2, (items, 5)), random.integers(0, 2, 5)
        relevant = random.random(items) < 0.5
        got = measured(f"LGAP(dispersion={dispersion})@{radius}", query, database, relevant, radius)
        wanted = local_group_average_precision(query, database, relevant, radius, dispersion)
        assert got == pytest.approx(wanted, abs=1e-12)
        assert 0 <= got <= 1


def test_radius_zero_and_both_ways_of_writing() -> None:
    assert parse("LGAP@H<=0") == parse("lgap@0")
    assert str(parse("mLGAP@H<=2")) == "LGAP@2"


def test_radius_beyond_the_table_is_refused() -> None:
    tally = Tally(np.ones((1, 5, 2), int), [0, 1], np.arange(5))
    codes = Codes.from_bits([[0, 0, 0, 0]])
    with pytest.raises(ValueError, match="LGAP@3 needs the occupancy up to radius 3"):
        parse("LGAP@3").spread(tally, occupancy(codes, codes, 2, backend="reference"))


def test_other_distances_are_refused() -> None:
    tally = Tally(np.ones((1, 2, 2), int), [0, 1], np.array([0.5, 0.7]))
    codes = Codes.from_bits([[0, 0, 0, 0]])
    with pytest.raises(ValueError, match="LGAP reads tallies of Hamming distances, whole numbers from 0 to 4"):
        parse("LGAP@0").spread(tally, occupancy(codes, codes, 0, backend="reference"))
