"""`search` against a full sort, one query at a time."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import evenrank as er

module = importlib.import_module("evenrank.search")  # `evenrank.search` itself is the function
RANDOM = np.random.default_rng(0)
Representation = er.Codes | er.Embeddings


def codes(items: int, bits: int) -> er.Codes:
    return er.Codes.from_bits(RANDOM.integers(0, 2, (items, bits)))


def grid(items: int, distance: str) -> er.Embeddings:
    """Return points of a small grid, without the origin: many distances tie, and many rows are equal."""
    return er.Embeddings(RANDOM.integers(1, 4, (items, 3)).astype(np.float32), distance)


def plain_distances(queries: Representation, database: Representation) -> np.ndarray:
    """Return all distances as anyone would write them down; of cosines, those of unit rows in units of 2 to the -26."""
    if isinstance(queries, er.Codes):
        return (queries.unpack()[:, None] != database.unpack()).sum(axis=2)
    q, d = queries.values.astype(float), database.values.astype(float)
    if queries.distance == "euclidean":
        return np.sqrt(np.square(q[:, None] - d).sum(axis=2))
    if queries.distance == "dot":
        return -(q @ d.T)
    q, d = (np.rint(x / np.linalg.norm(x, axis=1, keepdims=True) * 2**26).astype(np.int64) for x in (q, d))
    return 1 - (q @ d.T) / 2**52


def check(queries: Representation, database: Representation, k: int) -> er.Neighbours:
    """Compare everything that a search returns with the sorted distances."""
    found = er.search(queries, database, k)
    for query, distances in enumerate(plain_distances(queries, database)):
        order = np.argsort(distances, kind="stable")[:k]  # equal distances by row
        np.testing.assert_array_equal(found.rows[query], order)
        np.testing.assert_allclose(found.distances[query], distances[order], atol=1e-7)
        np.testing.assert_array_equal(found.sizes[query], [(distances == distances[row]).sum() for row in order])
    return found


@pytest.fixture(params=[7, 64, 1 << 16], ids="pieces of {}".format)
def pieces(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut the database into pieces of so many rows."""
    monkeypatch.setattr(module, "ROWS", request.param)
    monkeypatch.setattr(module, "QUERIES", 3)


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("k", [1, 10, 99, 100, 1000])
@pytest.mark.parametrize("bits", [1, 3, 12, 64, 100])
def test_codes(bits: int, k: int) -> None:
    check(codes(5, bits), codes(100, bits), k)


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("k", [1, 10, 100, 1000])
@pytest.mark.parametrize("distance", ["cosine", "euclidean", "dot"])
def test_embeddings(distance: str, k: int) -> None:
    check(grid(5, distance), grid(100, distance), k)


def test_wide_embeddings_are_read_in_smaller_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BYTES", 100)  # four rows of three dimensions
    check(grid(5, "euclidean"), grid(50, "euclidean"), 7)


def test_equal_rows_tie_whatever_the_rounding_of_products() -> None:
    rows = RANDOM.standard_normal((50, 77)).astype(np.float32)
    [nearest, *_] = er.search(er.Embeddings(rows[:1]), er.Embeddings(np.concatenate([rows, rows])), 3)[0]
    assert nearest.rows.tolist() == [0, 50]
    assert nearest.size == 2


def test_groups_say_where_the_last_place_cuts() -> None:
    database = er.Codes.from_bits([[1, 1], [0, 1], [0, 0], [1, 0], [0, 0]])
    groups = er.search(er.Codes.from_bits([[0, 0]]), database, 3)[0]
    assert [(each.distance, each.size, each.rows.tolist(), each.cut) for each in groups] == [
        (0, 2, [2, 4], False),
        (1, 2, [1], True),
    ]


def test_more_places_than_rows_list_all_rows() -> None:
    found = check(codes(3, 4), codes(6, 4), 20)
    assert found.rows.shape == (3, 6)
    assert len(found) == 3
    assert not any(group.cut for query in range(3) for group in found[query])


def test_the_order_of_bits_in_a_byte_does_not_matter() -> None:
    database = codes(40, 12)
    little = er.Codes.from_packed(np.packbits(database.unpack(), axis=1, bitorder="little"), bits=12, order="little")
    one, other = er.search(database[:5], database, 6), er.search(little[:5], database, 6)
    np.testing.assert_array_equal(one.rows, other.rows)
    np.testing.assert_array_equal(one.sizes, other.sizes)


def test_progress_ends_at_all_pairs() -> None:
    told: list[tuple[int, int]] = []
    er.search(codes(3, 4), codes(6, 4), 2, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (18, 18)
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("queries", "database", "k", "line"),
    [
        (codes(2, 8), codes(2, 9), 1, "must have 8 bits, as the queries have; got 9"),
        (codes(2, 8), grid(2, "dot"), 1, "both be Codes or both be Embeddings; got Codes and Embeddings"),
        (grid(2, "cosine"), grid(2, "dot"), 1, "the same distance; got cosine and dot"),
        (codes(2, 8), codes(2, 8), 0, "k of search must be a whole number of at least 1; got 0"),
        (codes(2, 8), codes(2, 8), 1.5, "got 1.5"),
    ],
)
def test_what_does_not_fit_is_refused(queries, database, k, line: str) -> None:
    with pytest.raises(ValueError, match=line):
        er.search(queries, database, k)
