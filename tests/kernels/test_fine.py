"""Keys of the fine grid are those of whole numbers of any size, and do not depend on order."""

from fractions import Fraction

import numpy as np
import pytest

from evenrank import embeddings
from evenrank.embeddings import DISTANCES, Embeddings, fixed_point
from evenrank.kernels import reference
from evenrank.kernels.fine import DIMENSIONS, FineKernels


def gaussian(rows: int = 12, dimensions: int = 7, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, dimensions))


def fine(values: np.ndarray, distance: str) -> Embeddings:
    return Embeddings(values, distance, grid="fine")


def keys_of(queries: np.ndarray, database: np.ndarray, distance: str) -> np.ndarray:
    q, x = fine(queries, distance), fine(database, distance)
    fixed = fixed_point(q, x)
    rows, bias = fixed.database(x)
    return bias - fixed.products(fixed.queries(q)[0], rows)


def whole_numbers(values: np.ndarray, distance: str, exponent: int) -> list[tuple[list[int], list[int]]]:
    """Return (high, low) of each row, from exact fractions; round() and rint() both take halves to even."""
    rows = embeddings.unit_rows(values) if distance == "cosine" else values
    scale, found = Fraction(2) ** (embeddings.UNITS[distance] - exponent), []
    for row in rows.tolist():
        exact = [Fraction(value) * scale for value in row]
        high = [round(value) for value in exact]
        found.append((high, [round((value - whole) * 2**20) for value, whole in zip(exact, high, strict=True)]))
    return found


def product(query: tuple[list[int], list[int]], row: tuple[list[int], list[int]]) -> int:
    def dot(a: list[int], b: list[int]) -> int:
        return sum(x * y for x, y in zip(a, b, strict=True))

    (high, low), (row_high, row_low) = query, row
    rest = dot(high, row_low) + dot(low, row_high) + round(Fraction(dot(low, row_low), 2**20))
    return dot(high, row_high) + round(Fraction(rest, 2**20))


@pytest.mark.parametrize("distance", DISTANCES)
def test_keys_are_those_of_python_integers(distance: str) -> None:
    q, x = gaussian(5, seed=1), gaussian()
    x[3] = x[2] * (1 + 2.0**-40)
    fixed = fixed_point(fine(q, distance), fine(x, distance))
    queries = whole_numbers(q, distance, fixed.query_exponent)
    rows = whole_numbers(x, distance, fixed.database_exponent)
    factor, bias = (2, [product(row, row) for row in rows]) if distance == "euclidean" else (1, [0] * len(rows))
    wanted = [[b - factor * product(query, row) for b, row in zip(bias, rows, strict=True)] for query in queries]
    assert keys_of(q, x, distance).astype(int).tolist() == wanted


@pytest.mark.parametrize("distance", DISTANCES)
def test_sums_stay_below_two_to_the_53_in_the_worst_rows(distance: str) -> None:
    rows = np.zeros((4, DIMENSIONS))
    rows[0, 0], rows[1] = 1, 1 / np.sqrt(DIMENSIONS)
    rows[2] = gaussian(1, DIMENSIONS)
    rows[:3] *= 0.9999 / np.linalg.norm(rows[:3], axis=1, keepdims=True)
    units = 2.0 ** embeddings.UNITS[distance]
    rows[3] = (np.floor(units * 0.9999 / np.sqrt(DIMENSIONS)) + 0.499999) / units  # low coordinates almost 2¹⁹
    e = fine(rows, distance)
    fixed = fixed_point(e, e)
    whole, largest = [[int(value) for value in row] for row in fixed.database(e)[0]], 0
    for q in whole:
        for x in whole:
            high, low = q[:DIMENSIONS], q[DIMENSIONS:]
            cross = [*zip(high, x[DIMENSIONS:], strict=True), *zip(low, x[:DIMENSIONS], strict=True)]
            largest = max(largest, sum(abs(a * b) for a, b in cross))
            assert product((high, low), (x[:DIMENSIONS], x[DIMENSIONS:])) < 2**53
    assert {"cosine": 0, "dot": 2**52.4, "euclidean": 2**51.4}[distance] < largest < 2**53 - 2**32
    order = np.random.default_rng(0).permutation(DIMENSIONS)
    integers = fixed.database(e)[0]
    shuffled = np.hstack([integers[:, order], integers[:, DIMENSIONS + order]])
    np.testing.assert_array_equal(fixed.products(shuffled, shuffled), fixed.products(integers, integers))


@pytest.mark.parametrize("distance", DISTANCES)
def test_identical_rows_tie_in_every_tiling_and_lie_at_distance_0(distance: str) -> None:
    x = np.repeat(gaussian(30, 50), 4, axis=0)
    keys = keys_of(gaussian(5, 50, seed=1), x, distance).reshape(5, 30, 4)
    assert (keys == keys[:, :, :1]).all()
    e = fine(x, distance)
    fixed = fixed_point(e, e)
    (queries, query_bias), (rows, bias) = fixed.queries(e), fixed.database(e)
    whole = bias - fixed.products(queries, rows)
    one_by_one = [
        [bias[r] - fixed.products(queries[q : q + 1], rows[r : r + 1])[0, 0] for r in range(9)] for q in range(9)
    ]
    np.testing.assert_array_equal(one_by_one, whole[:9, :9])
    np.testing.assert_array_equal([bias - fixed.products(query, rows) for query in queries[:3]], whole[:3])
    if distance == "euclidean":
        assert (fixed.distances(np.diag(whole) + query_bias) == 0).all()


@pytest.mark.parametrize("distance", DISTANCES)
def test_distances_are_those_of_the_input_to_ten_digits(distance: str) -> None:
    q, x = gaussian(6, seed=1), gaussian(40, seed=2)
    fixed = fixed_point(fine(q, distance), fine(x, distance))
    got = fixed.distances(keys_of(q, x, distance) + fixed.queries(fine(q, distance))[1][:, None])
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (q, x)]
    true = {
        "cosine": lambda: 1 - unit[0] @ unit[1].T,
        "dot": lambda: -q @ x.T,
        "euclidean": lambda: np.linalg.norm(q[:, None] - x, axis=2),
    }[distance]()
    np.testing.assert_allclose(got, true, atol=1e-11, rtol=0)


@pytest.mark.parametrize("distance", DISTANCES)
def test_rows_a_billionth_apart_tie_on_the_coarse_grid_and_not_on_the_fine_one(distance: str) -> None:
    q, x = np.array([[0.9, 0.1]]), np.array([[0.5, 0.25], [0.5, 0.25 - 1e-9]])
    coarse = [Embeddings(values, distance) for values in (q, x)]
    fixed = fixed_point(*coarse)
    rows, bias = fixed.database(coarse[1])
    assert len(set(bias - fixed.queries(coarse[0])[0][0] @ rows.T)) == 1
    far, near = keys_of(q, x, distance)[0]
    assert (near > far) == (distance == "dot")


@pytest.mark.parametrize("factor", [1, 2])
def test_pairs_and_counts_agree_with_products(factor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    queries, database = (random.integers(-9, 9, (n, 8)).astype(float) for n in (6, 50))
    kernels, bias = FineKernels(factor), random.integers(0, 5, 50).astype(float)
    keys = bias - kernels.products(queries, database)
    pairs = np.indices(keys.shape).reshape(2, -1)
    edges = [np.unique(row[::7]) for row in keys]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in edges])])
    wanted = np.concatenate([[(row < edge).sum() for edge in mine] for row, mine in zip(keys, edges, strict=True)])
    level = np.concatenate([[(row == edge).sum() for edge in mine] for row, mine in zip(keys, edges, strict=True)])
    for values in (1, 100, 1 << 22):
        monkeypatch.setattr("evenrank.kernels.fine.VALUES", values)
        np.testing.assert_array_equal(kernels.real_pairs(queries, database, bias, *pairs), keys.ravel())
        below, equal = kernels.real_counts(queries, database, bias, np.concatenate(edges), starts)
        np.testing.assert_array_equal(below, wanted)
        np.testing.assert_array_equal(equal, level)


def test_without_low_parts_the_kernels_are_the_reference() -> None:
    random = np.random.default_rng(4)
    queries, database = (random.integers(-99, 99, (n, 5)).astype(float) for n in (4, 30))
    bias, edges, starts = np.zeros(30), np.arange(-8000.0, 8000, 500), np.array([0, 8, 16, 24, 32])
    padded = [np.hstack([rows, np.zeros_like(rows)]) for rows in (queries, database)]
    got = FineKernels(1).real_counts(*padded, bias, edges, starts)
    np.testing.assert_array_equal(got, reference.real_counts(queries, database, bias, edges, starts))


def test_what_the_fine_grid_refuses_in_one_line() -> None:
    with pytest.raises(ValueError, match="grid must be one of coarse, fine; got 'finest'"):
        Embeddings(np.eye(2), grid="finest")
    with pytest.raises(ValueError, match="a fine grid has at most 8192 dimensions; got 8193"):
        Embeddings(np.ones((1, 8193)), grid="fine")
    with pytest.raises(ValueError, match="same grid; got fine and coarse"):
        fixed_point(fine(np.eye(2), "cosine"), Embeddings(np.eye(2)))
    part = fine(gaussian(), "dot")[2:4]
    assert (part.grid, repr(part)) == ("fine", "Embeddings(2 rows, 7 dimensions, float64, dot, fine grid)")
