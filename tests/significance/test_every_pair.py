"""Every pair at once says what one pair after the other says."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t, ttest_ind, ttest_rel

from evenrank.significance import compare
from evenrank.significance.error import standard_error
from evenrank.significance.every_pair import every_pair, pairs_of
from evenrank.significance.holm import holm


def samples(methods: int, runs: int, queries: int, step: float) -> list[np.ndarray]:
    random = np.random.default_rng(7)
    hard = random.random(queries)
    return [hard + place * step + 0.1 * random.standard_normal((runs, queries)) for place in range(methods)]


@pytest.mark.parametrize("runs", [1, 4])
def test_p_is_students_of_the_standard_error_that_intervals_have(runs: int) -> None:
    found = samples(5, runs, 40, 0.01)
    single = []
    for first, second in combinations(found, 2):
        differences = second.mean(axis=0) - first.mean(axis=0)
        error = standard_error(differences, first.mean(axis=1), second.mean(axis=1))
        single.append(2 * t.sf(abs(differences.mean()) / error.value, error.degrees))
    np.testing.assert_allclose(every_pair(found)[np.triu_indices(5, 1)], holm(single), rtol=1e-9)


def test_of_one_run_it_is_the_paired_test_of_scipy() -> None:
    first, second = samples(2, 1, 30, 0.02)
    assert every_pair([first, second])[0, 1] == pytest.approx(ttest_rel(first[0], second[0]).pvalue)


def test_without_queries_it_is_the_test_of_welch() -> None:
    first, second = np.array([0.1, 0.2, 0.15, 0.3]), np.array([0.3, 0.35, 0.28])
    assert pairs_of([first, second])[0, 1] == pytest.approx(ttest_ind(first, second, equal_var=False).pvalue)


@pytest.mark.parametrize("step", [0.0, 0.02, 0.05])
def test_what_it_decides_the_comparison_of_pairs_decides_too(step: float) -> None:
    """It is rather too careful: it counts what runs add to p, where a permutation of queries takes them as they are."""
    found = samples(6, 3, 200, step)
    pairs = compare({str(place): values for place, values in enumerate(found)}).pairs
    decided = [bool(every_pair(found)[int(pair.first), int(pair.second)] <= 0.05) for pair in pairs]
    assert all(pair.decided for pair, mine in zip(pairs, decided, strict=True) if mine)
    assert sum(decided) == {0.0: 0, 0.05: 15}.get(step, sum(decided))
    assert sum(pair.decided for pair in pairs) - sum(decided) <= 2


def test_queries_without_a_value_are_left_out() -> None:
    found = samples(3, 2, 50, 0.05)
    whole = every_pair([each[:, :40] for each in found])
    found[1][0, 40:] = np.nan
    np.testing.assert_array_equal(every_pair(found), whole)


def test_what_is_the_same_is_equal_and_what_never_varies_is_apart() -> None:
    same = np.tile(np.linspace(0, 1, 20), (2, 1))
    p = every_pair([same, same.copy(), same + 0.25])
    assert p[0, 1] == 1
    assert p[0, 2] == 0
    assert (pairs_of([np.array([0.1]), np.array([0.9])]) == 1).all()  # one run and no queries tell nothing
