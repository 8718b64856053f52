"""The real-valued kernels of the processor return what the reference returns, number for number."""

from __future__ import annotations

import numpy as np
import pytest

from evenrank.embeddings import Embeddings, fixed_point
from evenrank.kernels import reference
from evenrank.kernels.cpu import edges as edge_counting
from evenrank.kernels.cpu import filter as float32
from evenrank.kernels.cpu import real


def small_integers(queries, rows, dimensions, most, seed=0):
    """Return a problem in which nearly all keys tie with others."""
    rng = np.random.default_rng(seed)
    q = rng.integers(-3, 4, (queries, dimensions)).astype(float)
    x = rng.integers(-3, 4, (rows, dimensions)).astype(float)
    bias = rng.integers(0, 4, rows).astype(float)
    return q, x, bias, *edges_of(q, x, bias, most, rng)


def fixed_rows(distance, queries=30, rows=700, dimensions=24, most=10, seed=0):
    """Return a problem of fixed-point rows, with duplicates, and edges on keys and one unit beside them."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((rows, dimensions))
    values[rows // 2 :] = values[: rows - rows // 2]
    mine, database = Embeddings(values[:queries], distance), Embeddings(values, distance)
    fixed = fixed_point(mine, database)
    q, _ = fixed.queries(mine)
    x, bias = fixed.database(database)
    return q, x, bias, *edges_of(q, x, bias, most, rng)


def edges_of(q, x, bias, most, rng):
    """Return edges and starts: for each query 0 … `most` of its keys, some of them moved by one or a lot."""
    parts = []
    for query in q:
        keys = rng.choice(bias - x @ query, rng.integers(0, most + 1))
        parts.append(np.unique(keys + rng.choice([0, 0, 0, -1, 1, 1000], len(keys))))
    return np.concatenate([*parts, np.zeros(0)]), np.cumsum([0, *map(len, parts)])


def assert_equals_reference(problem):
    for got, expected in zip(real.real_counts(*problem), reference.real_counts(*problem), strict=True):
        assert got.dtype == np.int64
        np.testing.assert_array_equal(got, expected)


@pytest.fixture(params=[True, False], ids=["float32 filter", "float64"])
def _filtered(request, monkeypatch):
    monkeypatch.setattr(real, "FEW", 10**9)
    monkeypatch.setattr(real, "filter_pays", lambda *_: request.param)


@pytest.fixture(params=[1, 10**9], ids=["buckets", "compare"])
def _counted(request, monkeypatch):
    monkeypatch.setattr(edge_counting, "FEW", request.param)


@pytest.mark.usefixtures("_filtered", "_counted")
@pytest.mark.parametrize(
    ("queries", "rows", "dimensions", "most"),
    [
        (1, 1, 1, 1),
        (3, 700, 1, 4),
        (7, 50, 5, 4),
        (33, 255, 17, 10),
        (5, 1000, 3, 300),
        (9, 256, 129, 60),
        (4, 257, 8, 9),
    ],
)
def test_counts_of_small_integers(queries, rows, dimensions, most):
    assert_equals_reference(small_integers(queries, rows, dimensions, most))


@pytest.mark.usefixtures("_filtered", "_counted")
@pytest.mark.parametrize("distance", ["cosine", "euclidean", "dot"])
def test_counts_of_fixed_rows(distance):
    assert_equals_reference(fixed_rows(distance))
    assert_equals_reference(fixed_rows(distance, most=200, queries=8))


@pytest.mark.usefixtures("_filtered")
@pytest.mark.parametrize("distance", ["cosine", "euclidean", "dot"])
def test_queries_that_are_the_database(distance, monkeypatch):
    problem = fixed_rows(distance, queries=300, rows=300)
    assert real.symmetric(problem[0], problem[1])
    monkeypatch.setattr(real, "SQUARE", 64)
    assert_equals_reference(problem)


def test_symmetry_needs_all_rows():
    rows = np.arange(12.0).reshape(4, 3)
    other = rows.copy()
    other[3, 2] += 1
    assert real.symmetric(rows, rows.copy())
    assert real.symmetric(2 * rows, rows)
    assert not real.symmetric(other, rows)
    assert not real.symmetric(rows[:3], rows)


@pytest.mark.usefixtures("_filtered", "_counted")
@pytest.mark.parametrize(
    ("queries", "rows", "rows_per_edge", "products"),
    [((1, 1), 1, 1, 1), ((1, 4), 25, 0, 100), ((2, 16), 1, 7, 1000), ((1, 1000), 1000, 9, 10**6)],
)
def test_any_tiling(queries, rows, rows_per_edge, products, monkeypatch):
    values = {"QUERIES": queries, "ROWS": rows, "ROWS_PER_EDGE": rows_per_edge, "PRODUCTS": products}
    for name, value in values.items():
        monkeypatch.setattr(real, name, value)
    assert_equals_reference(fixed_rows("euclidean", queries=21, rows=130))


@pytest.mark.parametrize("rows", [1, 2047, 2048, 50_000, 1_000_000])
@pytest.mark.parametrize("edges", [1, 30, 5_000, 10**6])
def test_tiles_are_within_bounds(rows, edges):
    step, width = real.tile_shape(10**6, rows, 10**6 * edges)
    assert 1 <= width <= rows
    assert real.QUERIES[0] <= step <= real.QUERIES[1]
    assert step * width <= real.PRODUCTS


@pytest.mark.usefixtures("_filtered", "_counted")
def test_all_keys_equal():
    x = np.ones((500, 3))
    edges = np.array([-4.0, -3.0, -2.0, -3.0])
    assert_equals_reference((np.ones((2, 3)), x, np.zeros(500), edges, np.array([0, 3, 4])))
    below, equal = real.real_counts(np.ones((2, 3)), x, np.zeros(500), edges, np.array([0, 3, 4]))
    assert below.tolist() == [0, 0, 500, 0]
    assert equal.tolist() == [0, 500, 0, 500]


@pytest.mark.usefixtures("_filtered")
def test_outliers_among_many_edges():
    q, x, bias, edges, _ = fixed_rows("cosine", queries=1, most=300, seed=3)
    assert len(edges) > 100
    assert_equals_reference((q, x, bias, np.append(edges, 2.0**70), np.array([0, len(edges) + 1])))


@pytest.mark.usefixtures("_filtered")
@pytest.mark.parametrize("gaps", [[1.0] * 59, [2.0**40] * 59, [1.0] * 30 + [2.0**50] + [3.0] * 28])
@pytest.mark.parametrize("beyond", [0, 1000])
def test_keys_on_beside_and_beyond_many_edges(gaps, beyond):
    """One dimension, so that the keys can be chosen; those on the edges come twice, far apart."""
    edges = np.cumsum([-(2.0**30), *gaps])
    outside = np.arange(1.0, beyond + 1)
    bias = np.concatenate((edges, edges - 1, edges[0] - outside, edges + 1, edges[-1] + outside, edges))
    assert_equals_reference((np.zeros((1, 1)), np.zeros((len(bias), 1)), bias, edges, np.array([0, len(edges)])))


def test_queries_with_one_few_and_many_edges_together():
    rng = np.random.default_rng(5)
    q, x, bias, *_ = fixed_rows("euclidean", queries=6, rows=3000)
    counts = [1, 2000, 0, 24, 25, 300]
    parts = [np.unique(rng.choice(bias - x @ q[i], n, replace=False)) for i, n in enumerate(counts)]
    problem = q, x, bias, np.concatenate(parts), np.cumsum([0, *map(len, parts)])
    assert_equals_reference(problem)


@pytest.mark.parametrize(("queries", "rows", "edges"), [(0, 5, 0), (3, 0, 4), (3, 5, 0)])
def test_nothing_to_count(queries, rows, edges):
    starts = np.minimum(np.arange(queries + 1) * 2, edges)
    below, equal = real.real_counts(
        np.ones((queries, 2)), np.ones((rows, 2)), np.zeros(rows), np.arange(float(edges)), starts
    )
    assert below.tolist() == equal.tolist() == [0] * edges


def test_queries_without_edges_between_others():
    q, x, bias, *_ = fixed_rows("dot", queries=5)
    keys = np.unique(bias - x @ q[2])[:3]
    assert_equals_reference((q, x, bias, keys, np.array([0, 0, 0, 3, 3, 3])))


def test_float32_keys_are_within_the_margin():
    for distance in ("cosine", "euclidean", "dot"):
        q, x, bias, *_ = fixed_rows(distance, dimensions=300)
        keys = bias.astype("f4") - q.astype("f4") @ x.astype("f4").T
        off = np.abs(keys - (bias - q @ x.T)).max(axis=1)
        margin = float32.filter_margin(q, x, bias)
        assert (off > 0).all()
        assert (off < margin).all()


def test_limits_of_float32_are_outside_the_margin():
    edges = np.sort(np.random.default_rng(0).integers(-(2**52), 2**52, 1000).astype(float))
    margin = np.array([12345.0])
    steps = edge_counting.ladder(edges[:24], np.array([0, 24]), margin, np.float32)
    assert steps.lower.dtype == steps.upper.dtype == np.float32
    assert (steps.lower[:24].astype(float) < edges[:24] - margin).all()
    assert (steps.upper[:24].astype(float) > edges[:24] + margin).all()


def test_filter_pays_only_where_edges_are_few():
    q, x, bias, edges, starts = fixed_rows("cosine", rows=3000)
    margin = float32.filter_margin(q, x, bias)
    assert float32.filter_pays(q, x, bias, edges, starts, margin)
    assert not float32.filter_pays(q, x, bias, edges, starts, 1e5 * margin)
    assert not float32.filter_pays(q, x, bias, edges, starts, np.full(len(q), np.inf))
    signs, repeated = np.sign(q), np.sign(x)  # a tie is a pair at an edge
    edges = np.tile(np.arange(-24.0, 25.0), len(q))
    assert not float32.filter_pays(signs, repeated, bias, edges, 49 * np.arange(len(q) + 1), np.ones(len(q)))


@pytest.mark.parametrize(("pairs", "piece"), [(0, 10), (1, 10), (1000, 64), (1000, 10**6)])
def test_pairs(pairs, piece, monkeypatch):
    monkeypatch.setattr(real, "PAIRS", piece)
    q, x, bias, *_ = fixed_rows("euclidean")
    rng = np.random.default_rng(1)
    query_rows, database_rows = rng.integers(0, len(q), pairs), rng.integers(0, len(x), pairs)
    expected = reference.real_pairs(q, x, bias, query_rows, database_rows)
    np.testing.assert_array_equal(real.real_pairs(q, x, bias, query_rows, database_rows), expected)


def test_pair_keys_are_the_keys_that_are_counted():
    q, x, bias, *_ = fixed_rows("cosine", queries=3)
    query_rows, database_rows = np.arange(3), np.array([5, 6, 7])
    edges = real.real_pairs(q, x, bias, query_rows, database_rows)
    _, equal = real.real_counts(q, x, bias, edges, np.arange(4))
    assert (equal == 2).all()  # every row of the database is there twice
