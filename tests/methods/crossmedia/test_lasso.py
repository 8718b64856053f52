from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from evenrank.methods.crossmedia._lasso import sparse_codes


def problem(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.standard_normal((15, 10)), random.standard_normal((40, 10)) * random.uniform(0.2, 3, (40, 1))


@pytest.mark.parametrize("sparsity", [0.1, 0.2, 0.7])
def test_codes_are_those_of_a_library(sparsity: float) -> None:
    x, dictionary = problem()
    found = sparse_codes(x, dictionary, sparsity)
    for item, code in zip(x, found, strict=True):
        weight = sparsity * np.abs(dictionary @ item).max()
        library = Lasso(alpha=weight / 10, fit_intercept=False, tol=1e-9, max_iter=100_000).fit(dictionary.T, item)
        np.testing.assert_allclose(code, library.coef_, atol=1e-3)
    assert 0 < (found != 0).mean() < 0.5


def test_a_sparsity_of_one_leaves_no_atom() -> None:
    x, dictionary = problem()
    assert not sparse_codes(x, dictionary, 1).any()
    assert (sparse_codes(x, dictionary, 0.99) != 0).any(axis=1).all()


def test_an_item_of_twice_the_length_gets_twice_the_code() -> None:
    x, dictionary = problem()
    np.testing.assert_array_equal(sparse_codes(2 * x, dictionary, 0.2), 2 * sparse_codes(x, dictionary, 0.2))


def test_atoms_and_items_of_length_0_get_no_code() -> None:
    x, dictionary = problem()
    x[3], dictionary[5] = 0, 0
    found = sparse_codes(x, dictionary, 0.2)
    assert not found[3].any()
    assert not found[:, 5].any()
    np.testing.assert_allclose(np.delete(found, 5, axis=1), sparse_codes(x, np.delete(dictionary, 5, axis=0), 0.2))
