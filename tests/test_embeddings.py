"""Embeddings refuse what no distance can compare, and their keys are exact."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from evenrank import embeddings as module
from evenrank.embeddings import DISTANCES, Embeddings, fixed_point


def gaussian(rows=40, dimensions=9, seed=0):
    return np.random.default_rng(seed).standard_normal((rows, dimensions))


def keys_of(queries, database, distance, fixed=None):
    """Return (queries, rows) keys by a float64 matmul."""
    queries, database = Embeddings(queries, distance), Embeddings(database, distance)
    fixed = fixed or fixed_point(queries, database)
    rows, bias = fixed.database(database)
    return bias - fixed.queries(queries)[0] @ rows.T


def true_distances(queries, database, distance):
    if distance == "euclidean":
        return np.linalg.norm(queries[:, None] - database, axis=2)
    if distance == "dot":
        return -queries @ database.T
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (queries, database)]
    return 1 - unit[0] @ unit[1].T


# The noun


def test_what_it_says():
    e = Embeddings(gaussian(5, 3).astype("f4"), "dot")
    assert (len(e), e.dimensions, e.shape, e.distance) == (5, 3, (5, 3), "dot")
    assert repr(e) == "Embeddings(5 rows, 3 dimensions, float32, dot)"


def test_values_are_never_copied(tmp_path):
    array = gaussian()
    assert np.shares_memory(Embeddings(array).values, array)
    assert np.shares_memory(Embeddings(array)[3:9].values, array)
    np.save(tmp_path / "rows.npy", array)
    mapped = np.load(tmp_path / "rows.npy", mmap_mode="r")
    assert np.shares_memory(Embeddings(mapped).values, mapped)
    torch = pytest.importorskip("torch")
    tensor = torch.from_numpy(array)
    assert np.shares_memory(Embeddings(tensor.requires_grad_()).values, array)


@pytest.mark.parametrize("rows", [slice(2, 7), slice(None, None, -3), [4, 1, 1], np.arange(40) % 3 == 0, 5])
def test_rows_are_selected(rows):
    array = gaussian()
    part = Embeddings(array, "euclidean")[rows]
    np.testing.assert_array_equal(part.values, np.atleast_2d(array[rows]))
    assert part.distance == "euclidean"
    assert part.exponent == Embeddings(np.atleast_2d(array[rows]), "euclidean").exponent


def test_rows_are_read_once(monkeypatch):
    read = []
    original = module.blocks
    monkeypatch.setattr(module, "blocks", lambda values: read.append(len(values)) or original(values))
    e = Embeddings(gaussian(), "euclidean")
    fixed_point(e, e)
    fixed_point(e[3:9], e)
    assert read == [40, 6]


def test_torch_is_not_imported():
    code = "import sys, numpy, evenrank.embeddings as e; e.Embeddings(numpy.eye(2)); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# What is refused, in one line


def with_row(value, row=17):
    array = gaussian()
    array[row] = value
    return array


@pytest.mark.parametrize(
    ("values", "distance", "error", "message"),
    [
        (np.eye(2), "cityblock", ValueError, r"distance must be one of cosine, euclidean, dot; got 'cityblock'"),
        (np.ones(3), "cosine", ValueError, r"must be 2-D \(rows, dimensions\); got shape \(3,\)"),
        (np.ones((0, 3)), "cosine", ValueError, r"must not be empty; got shape \(0, 3\)"),
        (np.ones((3, 0)), "cosine", ValueError, r"must not be empty; got shape \(3, 0\)"),
        (np.eye(2, dtype=int), "dot", ValueError, r"convert with .astype\('float32'\)\); got int64"),
        (np.eye(2, dtype=bool), "dot", ValueError, r"convert with .astype\('float32'\)\); got bool"),
        (np.eye(2, dtype=np.longdouble), "dot", ValueError, r"must be float16, float32 or float64; got float128"),
        (np.eye(2, dtype=complex), "dot", ValueError, r"must be float16, float32 or float64; got complex128"),
        (with_row(np.nan), "dot", ValueError, r"row 17 holds NaN or infinity"),
        (with_row([0] * 8 + [-np.inf]), "euclidean", ValueError, r"row 17 holds NaN or infinity"),
        (with_row(0), "cosine", ValueError, r"row 17 holds only zeros, which have no cosine"),
    ],
)
def test_refusals(values, distance, error, message, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 5 * 9)  # rows 15 … 19 are one block
    with pytest.raises(error, match=message) as caught:
        Embeddings(values, distance)
    assert "\n" not in str(caught.value)


def test_refusals_of_tensors():
    torch = pytest.importorskip("torch")
    with pytest.raises(
        ValueError, match=r"Embeddings: values must be a numpy array or what converts to one; .*BFloat16"
    ):
        Embeddings(torch.ones(2, 2, dtype=torch.bfloat16))
    with pytest.raises(ValueError, match="must be on the CPU; got a tensor on meta"):
        Embeddings(torch.ones(2, 2, device="meta"))
    with pytest.raises(ValueError, match="got int64"):
        Embeddings(torch.ones(2, 2, dtype=torch.int64))


def test_zero_rows_have_dot_products_and_euclidean_distances():
    zero = np.zeros((2, 3))
    for distance in ("dot", "euclidean"):
        assert (keys_of(zero, zero, distance) == 0).all()
        assert keys_of(zero, np.full((1, 3), 1e-30), distance).shape == (2, 1)


def test_refusals_of_what_does_not_fit_together():
    with pytest.raises(ValueError, match="the same distance; got cosine and dot"):
        fixed_point(Embeddings(gaussian()), Embeddings(gaussian(), "dot"))
    with pytest.raises(ValueError, match="the same dimensions; got 9 and 8"):
        fixed_point(Embeddings(gaussian()), Embeddings(gaussian(dimensions=8)))
    with pytest.raises(TypeError, match="index by rows only"):
        Embeddings(gaussian())[1, 2]
    with pytest.raises(ValueError, match="must not be empty"):
        Embeddings(gaussian())[:0]


# Keys


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e200, 1e-200, 5e-324])
def test_distances_are_those_of_the_input(distance, scale):
    if scale != 1.0 and distance == "dot":
        scale = min(scale, 1e100)  # its products would overflow or vanish
    q, x = scale * np.rint(9 * gaussian(6, 7, 1)), scale * np.rint(9 * gaussian(50, 7, 2))
    queries, database = Embeddings(q, distance), Embeddings(x, distance)
    fixed = fixed_point(queries, database)
    bias = fixed.queries(queries)[1]
    got = fixed.distances(keys_of(q, x, distance) + bias[:, None])
    unit = scale**2 if distance == "dot" else 1 if distance == "cosine" else scale
    expected = true_distances(q / scale, x / scale, distance) * unit
    np.testing.assert_allclose(got, expected, atol=2e-6 * np.abs(expected).max(), rtol=2e-6)


@pytest.mark.parametrize("distance", DISTANCES)
def test_keys_in_any_container_and_precision(distance, tmp_path):
    array = np.rint(8 * gaussian()) / 8  # float16 holds these
    expected = keys_of(array, array, distance)
    np.save(tmp_path / "rows.npy", array.astype("f4"))
    same = [
        array.astype("f2"),
        array.astype("f4"),
        array.astype(">f4"),
        np.asfortranarray(array),
        np.repeat(array, 2, axis=1)[:, ::2],
        np.load(tmp_path / "rows.npy", mmap_mode="r"),
        pytest.importorskip("torch").from_numpy(array).half(),
    ]
    for values in same:
        np.testing.assert_array_equal(keys_of(values, array, distance), expected)
        np.testing.assert_array_equal(keys_of(array, values, distance), expected)


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("dimensions", [1, 2, 7, 8, 9, 127, 128, 129, 1000])
def test_rows_are_the_same_wherever_they_lie(distance, dimensions, monkeypatch):
    e = Embeddings(gaussian(23, dimensions).astype("f4"), distance)
    fixed = fixed_point(e, e)
    rows, bias = fixed.database(e)
    for block in (1, 3 * dimensions, 7 * dimensions):
        monkeypatch.setattr(module, "BLOCK", block)
        assert Embeddings(e.values, distance).exponent == e.exponent
        np.testing.assert_array_equal(fixed.database(e)[0], rows)
    np.testing.assert_array_equal(np.concatenate([fixed.database(e, i, i + 1)[0] for i in range(23)]), rows)
    np.testing.assert_array_equal(fixed.database(e, 5, 20)[1], bias[5:20])
    shuffled = np.random.default_rng(1).permutation(23)
    np.testing.assert_array_equal(fixed.database(e[shuffled])[0], rows[shuffled])


@pytest.mark.parametrize("distance", DISTANCES)
def test_shards_change_no_key(distance):
    x = gaussian(60) * np.geomspace(1, 1e4, 60)[:, None]
    queries, whole = Embeddings(gaussian(7, seed=1), distance), Embeddings(x, distance)
    expected = keys_of(queries.values, x, distance)
    for shards in ([whole[:20], whole[20:]], [whole[40:], whole[:40]], [Embeddings(x[:1], distance), whole[1:]]):
        fixed = fixed_point(queries, *shards)
        assert fixed == fixed_point(queries, whole)
        parts = [keys_of(queries.values, shard.values, distance, fixed) for shard in shards]
        np.testing.assert_array_equal(np.sort(np.hstack(parts)), np.sort(expected))


@pytest.mark.parametrize("distance", DISTANCES)
def test_identical_rows_tie_in_every_tiling(distance):
    x = np.repeat(gaussian(30, 50).astype("f4"), 4, axis=0)
    q = gaussian(5, 50, seed=1)
    keys = keys_of(q, x, distance).reshape(5, 30, 4)
    assert (keys == keys[:, :, :1]).all()
    assert len(np.unique(keys)) == 150
    e, queries = Embeddings(x, distance), Embeddings(q, distance)
    fixed = fixed_point(queries, e)
    rows, bias = fixed.database(e)
    one_by_one = [[bias[r] - fixed.queries(queries)[0][i, ::-1] @ rows[r, ::-1] for r in range(120)] for i in range(5)]
    np.testing.assert_array_equal(np.reshape(one_by_one, keys.shape), keys)


def worst_rows(dimensions):
    """Return rows of the largest norms: mass in one coordinate, equal mass, random, and the same negated."""
    rows = np.zeros((6, dimensions))
    rows[0, 0] = 1
    rows[1] = 1 / np.sqrt(dimensions)
    rows[2] = gaussian(1, dimensions)
    rows[3:] = -rows[:3]
    return np.nextafter(rows / np.linalg.norm(rows, axis=1, keepdims=True), 0)


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("dimensions", [1, 3, 1000, 65_536])
def test_sums_are_exact_integers(distance, dimensions):
    x = worst_rows(dimensions)
    e = Embeddings(x, distance)
    fixed = fixed_point(e, e)
    (queries, query_bias), (rows, bias) = fixed.queries(e), fixed.database(e)
    assert (np.rint(rows) == rows).all()
    q, r = ([[int(value) for value in row] for row in side] for side in (queries, rows))
    for i in range(6):
        for j in range(6):
            assert sum(abs(a * b) for a, b in zip(q[i], r[j], strict=True)) < 2**53
            exact = int(bias[j]) - sum(a * b for a, b in zip(q[i], r[j], strict=True))
            assert bias[j] - queries[i] @ rows[j] == exact
            assert query_bias[i] + (bias[j] - queries[i] @ rows[j]) == int(query_bias[i]) + exact
    if distance == "euclidean":
        assert [int(b) for b in bias] == [sum(a * a for a in row) for row in r]
        assert (fixed.distances(query_bias + (bias - np.einsum("nd,nd->n", queries, rows))) == 0).all()


@pytest.mark.parametrize("bits", [1, 12, 48, 64, 100])
@pytest.mark.parametrize("distance", DISTANCES)
def test_signs_tie_as_hamming_distances_do(bits, distance):
    signs = np.where(gaussian(60, bits) > 0, 1.0, -1.0)
    keys = keys_of(signs[:10], signs, distance)
    hamming = (signs[:10, None] != signs).sum(axis=2)
    assert len(np.unique(keys)) == len(np.unique(hamming))
    assert len({*zip(keys.ravel(), hamming.ravel(), strict=True)}) == len(np.unique(hamming))
    assert (np.diff(keys.ravel()[np.argsort(hamming, axis=None)]) >= 0).all()


@pytest.mark.parametrize("distance", ["dot", "euclidean"])
def test_a_power_of_two_changes_no_key(distance):
    x = gaussian()
    np.testing.assert_array_equal(keys_of(x[:5], x, distance), keys_of(x[:5] * 2.0**90, x * 2.0**90, distance))


def test_a_dot_product_has_one_scale_for_each_side():
    q, x = 1e12 * gaussian(5), 1e-12 * gaussian(seed=1)
    queries, database = Embeddings(q, "dot"), Embeddings(x, "dot")
    fixed = fixed_point(queries, database)
    for rows in (fixed.queries(queries)[0], fixed.database(database)[0]):
        assert 2**25 <= np.linalg.norm(rows, axis=1).max() <= 2**26 + 2
    np.testing.assert_allclose(fixed.distances(keys_of(q, x, "dot")), -q @ x.T, atol=1e-6)


def test_cosine_ignores_length():
    x = gaussian()
    lengths = 2.0 ** np.arange(-20, 20)
    np.testing.assert_array_equal(
        keys_of(x[:5], x, "cosine"), keys_of(x[:5] * 2.0**-900, x * lengths[:, None], "cosine")
    )
