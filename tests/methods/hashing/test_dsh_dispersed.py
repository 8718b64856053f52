"""DSH with dispersion trains Eq. 20 of paper 2, and spreads a class over more codes than DSH."""

import numpy as np

from evenrank.methods.hashing.dsh import DSH
from evenrank.methods.hashing.dsh_dispersed import DSHDispersed
from evenrank.objectives.dispersion import Dispersion
from tests.methods.hashing.test_dsh import SCHEDULE
from tests.methods.hashing.trained import X, Y, check_by_hand, check_it_learns


def test_it_is_the_loop_with_the_schedule_of_paper_2() -> None:
    method = DSHDispersed(bits=12, epochs=5, learning_rate=0.1, inner=0.2, outer=0.4, margin="consistent", seed=3)
    check_by_hand(method, Dispersion(inner=0.2, outer=0.4, margin="consistent"), SCHEDULE)


def test_items_of_a_class_are_further_apart_than_without_dispersion() -> None:
    together = DSH(bits=16, epochs=20).fit(X, Y).transform(X).astype(int)
    apart = DSHDispersed(bits=16, epochs=20).fit(X, Y).transform(X).astype(int)
    same = Y[:, None] == Y
    assert (apart @ apart.T)[same].mean() < (together @ together.T)[same].mean()
    assert len(np.unique(apart, axis=0)) > len(np.unique(together, axis=0))


def test_digits_are_found_better_than_by_random_projections() -> None:
    check_it_learns(DSHDispersed(bits=16, epochs=20))
