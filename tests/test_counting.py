"""Tallies: against a literal count, and unmoved by shards, blocks, pieces, permutations and backends."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenrank as er
from evenrank.counting import keys
from evenrank.counting.blocks import as_bytes


def problem(seed: int, queries: int = 9, database: int = 40, bits: int = 10, classes: int = 3):
    random = np.random.default_rng(seed)
    signs = [random.choice([-1.0, 1.0], (n, bits)) for n in (queries, database)]
    labels = [random.integers(0, classes, n) for n in (queries, database)]
    return signs[0], signs[1], er.SameLabel(*labels)


def literal(query: np.ndarray, database: np.ndarray, levels: np.ndarray, own: int = -1) -> list[tuple[float, int, int]]:
    """Return (distance, row, level) of every item, nearest first."""
    distance = (query != database).sum(axis=1)
    return sorted((int(d), row, int(v)) for row, (d, v) in enumerate(zip(distance, levels, strict=True)) if row != own)


def collapsed(counts: np.ndarray) -> list[tuple[int, ...]]:
    """Return the groups of one query: empty ones dropped, runs of irrelevant items merged."""
    groups: list[tuple[int, ...]] = []
    for group in counts.tolist():
        if not sum(group):
            continue
        if groups and not any(group[1:]) and not any(groups[-1][1:]):
            groups[-1] = (groups[-1][0] + group[0], *groups[-1][1:])
        else:
            groups.append(tuple(group))
    return groups


@pytest.mark.parametrize("backend", ["reference", "cpu"])
@pytest.mark.parametrize("own", [False, True])
def test_codes_count_every_item_at_its_distance(backend: str, own: bool) -> None:
    query, database, relevance = problem(0)
    tally = er.tally(
        er.Codes.from_signs(query), er.Codes.from_signs(database), relevance, exclude_self=own, backend=backend
    )
    level = relevance.block(np.arange(9), np.arange(40))
    for q in range(9):
        wanted = np.zeros((11, 2), int)
        for distance, _, value in literal(query[q], database, level[q], q if own else -1):
            wanted[distance, value] += 1
        np.testing.assert_array_equal(tally.counts[q], wanted)


@pytest.mark.parametrize("kind", [er.Codes.from_signs, er.Embeddings])
@pytest.mark.parametrize("own", [False, True])
def test_index_order_ranks_by_distance_then_row(kind, own: bool) -> None:
    query, database, relevance = problem(1)
    tally = er.tally(kind(query), kind(database), relevance, ties="index", exclude_self=own)
    level = relevance.block(np.arange(9), np.arange(40))
    for q in range(9):
        ranking = [value for _, _, value in literal(query[q], database, level[q], q if own else -1)]
        read = [v for group in tally.counts[q] for v, n in enumerate(group) for _ in range(n)]
        assert read == ranking
        assert all(np.count_nonzero(group) <= 1 for group in tally.counts[q])


@settings(max_examples=60, derandomize=True, deadline=None)
@given(seed=st.integers(0, 10**6), bits=st.integers(1, 20), own=st.booleans(), cut=st.integers(1, 39))
def test_codes_and_embeddings_of_the_same_bits_have_one_tally(seed: int, bits: int, own: bool, cut: int) -> None:
    """Paper 3 Eq. 1; and shards of either add up to the whole."""
    query, database, relevance = problem(seed, bits=bits)
    by_codes = er.tally(er.Codes.from_signs(query), er.Codes.from_signs(database), relevance, exclude_self=own)
    shards = [er.Embeddings(database[:cut]), er.Embeddings(database[cut:])]
    by_cosine = er.tally(er.Embeddings(query), shards, relevance, exclude_self=own)
    for q in range(9):
        assert collapsed(by_codes.counts[q]) == collapsed(by_cosine.counts[q])


@pytest.mark.parametrize("grid", ["coarse", "fine"])
@pytest.mark.parametrize("distance", ["cosine", "euclidean", "dot"])
@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize("ties", ["expected", "index"])
def test_embeddings_do_not_depend_on_shards_pieces_blocks_order_or_backend(
    grid: str, distance: str, graded: bool, ties: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(2)
    database = random.standard_normal((60, 5)).astype(np.float32)
    database[30:40] = database[:10]  # forced ties
    query = database[25:45]
    labels = random.integers(0, 2, (60, 4))
    relevance = er.SharedLabels(labels[25:45], labels, graded=graded)
    own = np.arange(25, 45)

    def count(items=None, rows=None, **options):
        items = er.Embeddings(database, distance, grid) if items is None else items
        rule = relevance if rows is None else relevance.take(None, rows)
        mine = own if rows is None else np.argsort(rows)[own]
        return er.tally(
            er.Embeddings(query, distance, grid), items, rule, exclude_self=mine, ties=ties, **options
        ).counts

    whole = count(backend="reference")
    assert whole.sum() == 20 * 59
    shards = [er.Embeddings(part, distance, grid) for part in (database[:7], database[7:8], database[8:])]
    order = random.permutation(60)
    np.testing.assert_array_equal(count(), whole)
    np.testing.assert_array_equal(count(shards), whole)
    if ties == "expected":
        np.testing.assert_array_equal(count(er.Embeddings(database[order], distance, grid), order), whole)
    monkeypatch.setattr(keys, "PIECE", 5 * 8 * 11)  # eleven rows
    np.testing.assert_array_equal(count(), whole)


@pytest.mark.parametrize("distance", ["cosine", "euclidean", "dot"])
@pytest.mark.parametrize("ties", ["expected", "index"])
@pytest.mark.parametrize("own", [False, True])
def test_the_fine_grid_ranks_what_the_coarse_one_ties(distance: str, ties: str, own: bool) -> None:
    """Rows 2⁻³⁰ apart along a line that leads away from the query, whatever the distance."""
    place = np.random.default_rng(6).permutation(np.repeat(np.arange(20), 2))  # every place twice
    database = np.array([0.75, 0.5]) + place[:, None] * 2.0**-30 * np.array([-0.5, 0.75])
    query, labels = np.array([[0.9, 0.1]] * 3), np.arange(40) % 3
    relevance, left = er.SameLabel([0, 1, 2], labels), np.array([5, 11, 30])
    options = {"ties": ties, "exclude_self": left if own else False}
    tally = er.tally(
        er.Embeddings(query, distance, "fine"), er.Embeddings(database, distance, "fine"), relevance, **options
    )
    for q in range(3):
        rows = [row for row in np.lexsort((np.arange(40), place)) if not (own and row == left[q])]
        groups: dict[tuple[int, ...], list[int]] = {}
        for row in rows:
            group = groups.setdefault((place[row],) if ties == "expected" else (place[row], row), [0, 0])
            group[int(labels[row] == q)] += 1
        assert collapsed(tally.counts[q]) == collapsed(np.array(list(groups.values())))
    coarse = er.tally(er.Embeddings(query, distance), er.Embeddings(database, distance), relevance)
    assert np.count_nonzero(coarse.counts.sum(axis=2)[0]) < 5


def test_shards_of_codes_add_up() -> None:
    query, database, relevance = problem(3)
    queries, whole = er.Codes.from_signs(query), er.Codes.from_signs(database)
    both = er.tally(queries, whole[:13], relevance.take(None, slice(0, 13))) + er.tally(
        queries, whole[13:], relevance.take(None, slice(13, 40))
    )
    np.testing.assert_array_equal(both.counts, er.tally(queries, whole, relevance).counts)
    np.testing.assert_array_equal(er.tally(queries, [whole[:13], whole[13:]], relevance).counts, both.counts)


@pytest.mark.parametrize("kind", [er.Codes.from_signs, er.Embeddings])
def test_blocks_of_little_memory_are_the_whole(kind) -> None:
    query, database, relevance = problem(4, queries=50)
    blocks = list(er.tallies(kind(query), kind(database), relevance, memory="4KB"))
    assert len(blocks) > 5
    whole = er.tally(kind(query), kind(database), relevance)
    assert sum(map(len, blocks)) == 50
    done = 0
    for block in blocks:
        for q in range(len(block)):
            assert collapsed(block.counts[q]) == collapsed(whole.counts[done + q])
        done += len(block)


def test_what_does_not_fit_together_is_refused_in_one_line() -> None:
    query, database, relevance = problem(5)
    codes = er.Codes.from_signs
    with pytest.raises(ValueError, match="must have 10 bits, as the queries have; got 9"):
        er.tally(codes(query), codes(database[:, :9]), relevance)
    with pytest.raises(ValueError, match="about 9 queries and 39 database items; got 9 and 40"):
        er.tally(codes(query), codes(database[:39]), relevance)
    with pytest.raises(ValueError, match="both be Codes or both be Embeddings; got Codes, Embeddings"):
        er.tally(codes(query), er.Embeddings(database), relevance)
    with pytest.raises(ValueError, match="same dimensions; got 10 and 9"):
        er.tally(er.Embeddings(query), er.Embeddings(database[:, :9]), relevance)
    with pytest.raises(ValueError, match="ties must be one of expected, index; got 'random'"):
        er.tally(codes(query), codes(database), relevance, ties="random")
    with pytest.raises(ValueError, match="must name database rows 0 to 39, -1 for none; got 40"):
        er.tally(codes(query), codes(database), relevance, exclude_self=np.full(9, 40))
    with pytest.raises(ValueError, match="one whole number a query"):
        er.tally(codes(query), codes(database), relevance, exclude_self=np.arange(3))
    with pytest.raises(ValueError, match="backend must be one of auto, cpu, reference; got 'gpu9'"):
        er.tally(codes(query), codes(database), relevance, backend="gpu9")
    with pytest.raises(ValueError, match="memory must be a size like 500MB or 1GB; got 'much'"):
        as_bytes("much")
