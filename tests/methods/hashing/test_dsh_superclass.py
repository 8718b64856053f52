"""DSH with superclasses trains Eq. 25 of paper 2 on relevance of three levels."""

import numpy as np
import pytest

from evenrank.methods.hashing.dsh_superclass import DSHSuperclass
from evenrank.objectives.superclass_dispersion import SuperclassDispersion
from evenrank.relevance import MatchingAttributes
from tests.methods.hashing.test_dsh import SCHEDULE
from tests.methods.hashing.trained import X, Y, check_by_hand, check_it_learns

BOTH = np.stack([Y // 2, Y], axis=1)  # (superclass, class)
LEVELS = MatchingAttributes(BOTH, BOTH)


def test_it_is_the_loop_with_the_schedule_of_paper_2() -> None:
    method = DSHSuperclass(bits=12, epochs=5, learning_rate=0.1, superclass_pairs="different", class_inner=0.1, seed=3)
    objective = SuperclassDispersion(superclass_pairs="different", class_inner=0.1)
    check_by_hand(method, objective, SCHEDULE, relevance=LEVELS)


def test_items_of_a_superclass_are_nearer_than_others() -> None:
    codes = DSHSuperclass(bits=16, epochs=20).fit(X, LEVELS).transform(X).astype(int)
    products, levels = codes @ codes.T, LEVELS.block()
    same, around, other = (products[levels == level].mean() for level in (2, 1, 0))
    assert same > around > other


def test_labels_without_superclasses_are_refused() -> None:
    with pytest.raises(ValueError, match=r"needs relevance of levels 0, 1 .* got levels 0, 1$"):
        DSHSuperclass().fit(X, Y)


def test_digits_are_found_better_than_by_random_projections() -> None:
    check_it_learns(DSHSuperclass(bits=16, epochs=20), LEVELS)
