"""Holm's correction against the step-down procedure as it is told."""

from __future__ import annotations

import numpy as np
import pytest

from evenrank.significance.holm import holm


def rejected(probabilities: list[float], level: float) -> list[bool]:
    """Hold the smallest against level / m, the next against level / (m - 1), and so on; stop at the first failure."""
    answer = [False] * len(probabilities)
    for step, place in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        if probabilities[place] > level / (len(probabilities) - step):
            break
        answer[place] = True
    return answer


@pytest.mark.parametrize("seed", range(20))
def test_adjusted_values_decide_as_stepping_down_does(seed: int) -> None:
    random = np.random.default_rng(seed)
    probabilities = (random.random(random.integers(1, 12)) ** 4).tolist()
    for level in (0.01, 0.05, 0.2):
        assert (holm(probabilities) <= level).tolist() == rejected(probabilities, level)


def test_a_known_example() -> None:
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])


def test_one_is_left_alone_and_none_exceeds_1() -> None:
    assert holm([0.3]).tolist() == [0.3]
    assert holm([0.6, 0.9]).tolist() == [1.0, 1.0]
    assert holm([]).tolist() == []
