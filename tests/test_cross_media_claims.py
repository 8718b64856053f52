"""The checks of paper 4's claims say yes and no where they should."""

import numpy as np
import pytest

from docs.tables.cross_media import Run
from docs.tables.cross_media_claims import Side, cheap, disagree, drop, longer, separated, spread, trivial

SEEN, UNSEEN = "non-extendable, image to text", "extendable, image to text"
JITTER = 0.001 * np.array([-2, -1, 0, 1, 2])


def run(method: str, seen: float, unseen: float, bits: int = 0, cmc: tuple[float, float] = (0.5, 0.9)) -> Run:
    """Return a run with these values of AP, and CMC that rises evenly from the first to the last rank."""
    curve = np.linspace(*cmc, 15) + JITTER[:, None]
    searches = {s: {"AP": value + JITTER, "CMC": curve} for s, value in ((SEEN, seen), (UNSEEN, unseen))}
    return Run(method, bits, bits or 5, 0.1, searches)


def side(*methods: Run) -> Side:
    return Side("wikipedia", list(methods), run("chance", 0.2, 0.2), SEEN, UNSEEN)


def test_a_drop_must_be_that_of_nearly_all_methods() -> None:
    fallen = [run("pls", 0.5, 0.3), run("cca", 0.4, 0.3)]
    assert drop(side(*fallen)) == (True, "lower for 2 of 2 runs; mean 0.450 → 0.300, chance 0.200")
    assert not drop(side(*fallen, run("blm", 0.3, 0.4))).held


def test_the_trivial_solution_must_fall_from_the_better_half() -> None:
    others = [run("pls", 0.4, 0.3), run("cca", 0.3, 0.25), run("blm", 0.2, 0.2)]
    assert trivial(side(run("trivial", 0.5, 0.22), *others)) == (True, "TS 1 → 3 of 4")
    assert not trivial(side(run("trivial", 0.5, 0.5), *others)).held
    assert not trivial(side(run("trivial", 0.25, 0.1), *others)).held


def test_few_bits_are_compared_with_eight() -> None:
    codes = [run(name, value, 0.2, bits=8) for name, value in (("cvh", 0.3), ("imh", 0.4), ("cmfh", 0.6))]
    found = cheap(side(run("trivial", 0.5, 0.2), *codes))
    assert found == (True, "3 bits, AP 0.500: 1 of 3 methods of 8 bits are better")
    assert not cheap(side(run("trivial", 0.35, 0.2), *codes)).held


@pytest.mark.parametrize(("last", "held"), [((0.9, 0.8, 0.7, 0.6), True), ((0.6, 0.7, 0.8, 0.9), False)])
def test_rank_1_must_follow_ap_and_rank_15_not(last: tuple[float, ...], held: bool) -> None:
    names, values = ("pls", "cca", "blm", "gmlda"), (0.2, 0.3, 0.4, 0.5)
    runs = [run(n, v, v, cmc=(v, end)) for n, v, end in zip(names, values, last, strict=True)]
    assert disagree(side(*runs)).held == held


def test_codes_that_cannot_grow_are_no_steps() -> None:
    grown = [run("imh", 0.3, 0.2, 8), run("imh", 0.4, 0.3, 16, (0.6, 0.9)), run("imh", 0.35, 0.4, 32, (0.7, 0.9))]
    same = [run("cvh", 0.3, 0.2, bits)._replace(width=9) for bits in (16, 32)]
    found = longer(side(*grown, *same))
    assert found == (True, "AP better in 3, rank 1 in 4 of 4 steps; AP not always: IMH")
    assert not longer(side(*(each._replace(bits=40 - each.bits if each.bits != 16 else 16) for each in grown))).held


def test_equal_methods_must_differ_beyond_their_folds() -> None:
    assert separated(side(run("pls", 0.4, 0.3), run("cca", 0.4, 0.3, cmc=(0.6, 0.95)))).held
    assert not separated(side(run("pls", 0.4, 0.3), run("cca", 0.4, 0.3))).held


def test_the_spread_must_shrink_in_ap_and_at_rank_1() -> None:
    near = [run("pls", 0.4, 0.3), run("cca", 0.5, 0.31)]
    assert not spread(side(*near)).held  # both searches have one CMC
    for each, first in zip(near, (0.1, 0.9), strict=True):
        each.searches[SEEN]["CMC"] = np.full((5, 15), first)
    assert spread(side(*near)).held
